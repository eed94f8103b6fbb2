import { z } from 'zod'
import { orBroken } from '../broken-rule.ts'
import {
  atMost,
  Channel,
  distinct,
  Id,
  Instant,
  isChange,
  Locale,
  mustChange,
  Stage,
  SubjectRole,
} from '../common.ts'
import { type ProfileList, subjectRoles } from '../enums.ts'
import { limits } from '../limits.ts'

const word = z.string().trim().min(1).max(100)
const words = z.array(z.string().trim().min(1).max(200)).max(200).overwrite(distinct)

/** The producer's id of a subject: up to 100 visible characters. Enforced by binding and import. */
export const Uid = z
  .string()
  .refine((text) => /^[^\s\p{C}]{1,100}$/u.test(text), orBroken('wrong_format', { format: 'uid' }))
  .meta({
    description:
      "The producer's id of the subject: 1 to 100 characters without spaces or control characters.",
    pattern: '^\\S{1,100}$',
  })

/** In a path: the uid or Carillon's subject id, so that a system that has only the id can map it back. */
const Named = z
  .string()
  .min(1)
  .max(limits.pathPartLength)
  .refine((text) => !text.includes('\0'), orBroken('unstorable_text', { of: 'path' }))
  .describe(
    "The uid of the subject, or Carillon's subject id, so that a system that has only that can map it back.",
  )

/** The path parameters of operations on one subject. */
export const SubjectParams = z.object({ uid: Named })
/** The subject and channel of an address. */
export const AddressParams = z.object({
  uid: Named,
  channel: Channel.describe('The channel of the address.'),
})

/** ASCII, with namespaces separated by colons: `interest:robotics`, `alumni:law`. */
export const SubjectTag = z
  .string()
  .max(200)
  .regex(/^[!-9;-~]+(:[!-9;-~]+)+$/, orBroken('wrong_format', { format: 'tag' }))

export const Acquisition = z
  .strictObject({
    source: z
      .string()
      .max(100)
      .regex(
        /^(chat_embed|directory|import|event:[!-~]+)$/,
        orBroken('wrong_format', { format: 'acquisition' }),
      )
      .describe(
        'How: `chat_embed`, bound in the embedded chat app; `directory`; `import`; or `event:<source>`. Carillon ' +
          'records `chat_follow` itself.',
      ),
    ref: z
      .string()
      .trim()
      .min(1)
      .max(200)
      .optional()
      .describe('A campaign, QR code or intake period. Omitted: none.'),
  })
  .meta({
    id: 'Acquisition',
    description: 'How the first contact with a subject came about. Recorded once and never overwritten.',
  })

const lists = {
  roles: z
    .array(SubjectRole)
    .max(subjectRoles.length)
    .overwrite(distinct)
    .describe('Roles in the institution. A list replaces the previous one.'),
  orgUnits: words.describe('Organisational units, such as departments. A list replaces the previous one.'),
  classIds: words.describe('Classes. A list replaces the previous one.'),
} satisfies Record<ProfileList, z.ZodType>

export const Profile = z
  .strictObject({
    displayName: z.string().trim().min(1).max(200).nullable().describe('The name to show; null: none.'),
    locale: Locale.describe('The language of messages to the subject. zh-TW for a new one.'),
    ...lists,
    attributes: z
      .record(z.string().min(1).max(100), z.unknown())
      .describe('Other attributes, by name. In an update each one is set separately; null removes it.'),
  })
  .meta({
    id: 'Profile',
    description: 'What is known of a subject, by which audiences select, and their language.',
  })

export const Consent = z
  .object({
    scope: z
      .string()
      .describe('What the subject consents to, such as `admission`: the `consentScope` of categories.'),
    version: z.string().describe('The version of the text that they agreed to.'),
    source: z.string().describe('Where they gave it, such as a form, desk or page.'),
    grantedAt: Instant.describe('When it was recorded, in UTC.'),
    withdrawnAt: Instant.nullable().describe('When it was withdrawn, in UTC; null while it is active.'),
  })
  .meta({ id: 'Consent', description: 'The latest consent of a subject for one scope.' })
export type Consent = z.infer<typeof Consent>

const SubjectAddress = z
  .object({
    channel: Channel.describe('The channel.'),
    address: z.string().describe("An e-mail address, or the chat provider's id of the user."),
    boundAt: Instant.describe('When it was bound, in UTC.'),
    blocked: z
      .boolean()
      .describe('Whether the subject has blocked the account in the chat: nothing is sent there.'),
    suppressed: z
      .boolean()
      .describe(
        'Whether it is suppressed after a permanent bounce, a complaint or a rejection, even for another ' +
          'subject: nothing is sent to it until a system administrator lifts the suppression.',
      ),
  })
  .meta({ id: 'SubjectAddress', description: 'The address of a subject on one channel.' })

export const SubjectRef = z
  .object({
    uid: z.string().describe("The producer's id of the subject."),
    subjectId: Id.describe("Carillon's id of the subject. It never changes."),
  })
  .meta({ id: 'SubjectRef', description: 'The two ids of a subject. Keys of ordinary units get no more.' })
export type SubjectRef = z.infer<typeof SubjectRef>

export const ResolveSubjects = z
  .strictObject({
    ids: z
      .array(Id)
      .min(1)
      .max(limits.resolvedSubjects)
      .describe(
        `Subject ids of Lookups and callbacks, 1 to ${limits.resolvedSubjects.toLocaleString('en')}; each is answered once.`,
      ),
  })
  .meta({ id: 'ResolveSubjects', description: 'The subject ids whose uids are asked for.' })
export type ResolveSubjects = z.infer<typeof ResolveSubjects>

export const ResolvedSubjects = z
  .object({
    items: z
      .array(SubjectRef)
      .describe(
        'Those that are known, in no order. Absent, and not told apart: ids of nobody, of erased people, and those that this ' +
          'unit has not been given.',
      ),
  })
  .meta({ id: 'ResolvedSubjects', description: 'The uids of subjects.' })
export type ResolvedSubjects = z.infer<typeof ResolvedSubjects>

export const Subject = SubjectRef.extend({
  stage: Stage.describe('How far the relation has come. It only moves forward.'),
  tags: z.array(z.string()).describe('The tags, such as `interest:robotics`.'),
  profile: z
    .object({ ...Profile.shape, roles: z.array(z.string()).describe('Roles in the institution.') })
    .describe('What is known of the subject.'),
  acquisition: z
    .object({
      source: z
        .string()
        .describe(
          '`chat_embed`, `directory`, `import`, `event:<source>`, or `chat_follow`: they followed the account.',
        ),
      ref: z.string().nullable().describe('A campaign, QR code or intake period; null: none.'),
    })
    .nullable()
    .describe('How the first contact came about; null: not known yet.'),
  addresses: z.array(SubjectAddress).describe('The bound addresses, at most one for each channel.'),
  consents: z.array(Consent).describe('The latest consent for each scope, withdrawn ones included.'),
  createdAt: Instant.describe('When Carillon first learned of the subject, in UTC.'),
  updatedAt: Instant.describe('When the subject was last changed, in UTC.'),
}).meta({
  id: 'Subject',
  description: 'A subject with all that is stored of them. Only for administrative units.',
})
export type Subject = z.infer<typeof Subject>

const FullSubject = Subject.extend({
  detail: z.literal('full').describe('The caller may read all of it.'),
}).meta({ id: 'FullSubject', description: 'A subject, as keys of administrative units find it.' })

const SubjectIds = SubjectRef.extend({
  detail: z.literal('ids').describe('The caller may read the two ids.'),
}).meta({ id: 'SubjectIds', description: 'A subject, as keys of other units find it.' })

export const FoundSubject = z.discriminatedUnion('detail', [FullSubject, SubjectIds]).meta({
  id: 'FoundSubject',
  description:
    'For keys of an administrative unit all that is stored, for other keys only the two ids; `detail` tells the two forms ' +
    'apart.',
})
export type FoundSubject = z.infer<typeof FoundSubject>

export const BindAddress = z
  .strictObject({
    address: z
      .string()
      .trim()
      .min(1)
      .max(320)
      .describe(
        "An e-mail address, or the chat provider's id of the user, which the subject has proved to own.",
      ),
    acquisition: Acquisition.optional().describe(
      'How the first contact came about. Used if none is recorded yet.',
    ),
  })
  .meta({
    id: 'BindAddress',
    description: 'The address to bind. It replaces the previous one of the channel.',
  })
export type BindAddress = z.infer<typeof BindAddress>

export const BoundSubject = z
  .object({ subjectId: Id.describe("Carillon's id of the subject. It never changes.") })
  .meta({ id: 'BoundSubject', description: 'The subject of the address.' })

/** The attributes to change; up to 200 others at once. */
const ChangeProfile = Profile.extend({
  attributes: atMost(Profile.shape.attributes, limits.profileAttributes, 'attributes'),
}).partial()

export const UpdateSubject = z
  .strictObject({
    stage: Stage.optional().describe('The new stage. One before the current stage is ignored.'),
    profile: ChangeProfile.optional().describe('The fields of the profile to change; others stay.'),
    acquisition: Acquisition.optional().describe(
      'How the first contact came about. Ignored if that is recorded.',
    ),
    tags: z
      .strictObject({
        add: z
          .array(SubjectTag)
          .max(200)
          .overwrite(distinct)
          .optional()
          .describe('Tags to add, at most 200: ASCII, `namespace:value`.'),
        remove: z
          .array(z.string().max(200))
          .max(200)
          .overwrite(distinct)
          .optional()
          .describe('Tags to remove, at most 200. Unknown ones are ignored.'),
      })
      .optional()
      .describe('Tags to add and to remove; others stay.'),
  })
  .refine(isChange, mustChange)
  .meta({
    id: 'UpdateSubject',
    minProperties: 1,
    description: 'Changes to a subject, at least one. Omitted fields are unchanged.',
  })
export type UpdateSubject = z.infer<typeof UpdateSubject>

export const GrantConsent = z
  .strictObject({
    scope: word.describe('What the subject consents to, such as `admission`: 1 to 100 characters.'),
    version: word.describe('The version of the text that they agreed to: 1 to 100 characters.'),
    source: word.describe('Where they gave it, such as a form, desk or page: 1 to 100 characters.'),
  })
  .meta({ id: 'GrantConsent', description: 'A consent that the subject has given.' })
export type GrantConsent = z.infer<typeof GrantConsent>

export const RevokeConsent = z
  .strictObject({
    scope: word.optional().describe('The scope to withdraw. Here or in the query; if in both, the same.'),
    version: word.optional().describe('Accepted and not used: a consent is withdrawn as a whole.'),
    source: word.optional().describe('Accepted and not used.'),
  })
  .meta({ id: 'RevokeConsent', description: 'The consent to withdraw. May be the body that recorded it.' })
/** The consent to withdraw; may be given in the body instead. */
export const RevokeConsentQuery = z.object({
  scope: word.optional().describe('The scope to withdraw. Here or in the body; if in both, the same.'),
})

export const RevokedConsent = z
  .object({
    scope: z.string().describe('The scope of which no consent is active now.'),
    withdrawnAt: Instant.nullable().describe('When it was withdrawn, in UTC; null if there never was one.'),
  })
  .meta({ id: 'RevokedConsent', description: 'No consent for the scope is active.' })
export type RevokedConsent = z.infer<typeof RevokedConsent>
