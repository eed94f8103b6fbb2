import { z } from 'zod'
import { atMost, Channel, distinct, Id, Instant, isChange, mustChange } from '../common.ts'
import { locales, stages, subjectRoles } from '../enums.ts'
import { limits } from '../limits.ts'

const word = z.string().trim().min(1).max(100)
const words = z.array(z.string().trim().min(1).max(200)).max(200).overwrite(distinct)

/** The producer's id of a subject: up to 100 visible characters. Enforced by binding and import. */
export const Uid = z
  .string()
  .regex(/^[^\s\p{C}]{1,100}$/u, 'must be up to 100 characters without spaces or control characters')

/** In a path: the uid or Carillon's subject id, so that a system that has only the id can map it back. */
const Named = z
  .string()
  .min(1)
  .max(limits.pathPartLength)
  .regex(/^[^\0]+$/)

/** The path parameters of operations on one subject. */
export const SubjectParams = z.object({ uid: Named })
/** The subject and channel of an address. */
export const AddressParams = z.object({ uid: Named, channel: Channel })

/** Only moves forward; a backward change is ignored. */
export const Stage = z.enum(stages)

/** ASCII, with namespaces separated by colons: `interest:robotics`, `alumni:law`. */
export const SubjectTag = z
  .string()
  .max(200)
  .regex(/^[!-9;-~]+(:[!-9;-~]+)+$/, 'must be ASCII without spaces, as namespace:value')

/**
 * How the first contact with a subject came about; recorded once. `ref`: a campaign, QR code or intake period. Only
 * Carillon itself records `chat_follow`.
 */
export const Acquisition = z
  .strictObject({
    source: z
      .string()
      .max(100)
      .regex(
        /^(chat_embed|directory|import|event:[!-~]+)$/,
        'must be chat_embed, directory, import or event:<source>',
      ),
    ref: z.string().trim().min(1).max(200).optional(),
  })
  .meta({ id: 'Acquisition' })

/** The attributes that audiences select by, and the subject's language. */
export const Profile = z
  .strictObject({
    displayName: z.string().trim().min(1).max(200).nullable(),
    locale: z.enum(locales),
    roles: z.array(z.enum(subjectRoles)).max(subjectRoles.length).overwrite(distinct),
    orgUnits: words,
    classIds: words,
    attributes: z
      .record(z.string().min(1).max(100), z.unknown())
      .meta({ description: 'Other attributes. In an update each key is set separately; null removes it.' }),
  })
  .meta({ id: 'Profile' })

/** A subject's consent for one scope; `withdrawnAt` is null while it is active. */
export const Consent = z
  .object({
    scope: z.string(),
    version: z.string(),
    source: z.string(),
    grantedAt: Instant,
    withdrawnAt: Instant.nullable(),
  })
  .meta({ id: 'Consent' })
export type Consent = z.infer<typeof Consent>

/** A subject's address. `blocked`: they blocked the account; `suppressed`: mail bounced or drew a complaint,
 * whoever the address was bound to then. */
export const SubjectAddress = z
  .object({
    channel: Channel,
    address: z.string(),
    boundAt: Instant,
    blocked: z.boolean(),
    suppressed: z.boolean(),
  })
  .meta({ id: 'SubjectAddress' })

/** The two ids of a subject: the producer's and Carillon's. */
export const SubjectRef = z.object({ uid: z.string(), subjectId: Id }).meta({ id: 'SubjectRef' })
export type SubjectRef = z.infer<typeof SubjectRef>

/** A subject with all stored attributes. */
export const Subject = SubjectRef.extend({
  stage: Stage,
  tags: z.array(z.string()),
  profile: z.object({ ...Profile.shape, roles: z.array(z.string()) }),
  acquisition: z.object({ source: z.string(), ref: z.string().nullable() }).nullable(),
  addresses: z.array(SubjectAddress),
  consents: z.array(Consent),
  createdAt: Instant,
  updatedAt: Instant,
}).meta({ id: 'Subject' })
export type Subject = z.infer<typeof Subject>

/** Binds an address of a channel to a subject. */
export const BindAddress = z
  .strictObject({
    address: z
      .string()
      .trim()
      .min(1)
      .max(320)
      .meta({ description: "An e-mail address, or the chat provider's id of the user." }),
    acquisition: Acquisition.optional(),
  })
  .meta({ id: 'BindAddress' })
export type BindAddress = z.infer<typeof BindAddress>

/** The attributes to change; up to 200 others at once. */
const ChangeProfile = Profile.extend({
  attributes: atMost(Profile.shape.attributes, limits.profileAttributes, 'attributes'),
}).partial()

/** Changes to a subject. Omitted fields are unchanged. */
export const UpdateSubject = z
  .strictObject({
    stage: Stage.optional(),
    profile: ChangeProfile.optional(),
    acquisition: Acquisition.optional(),
    tags: z
      .strictObject({
        add: z.array(SubjectTag).max(200).overwrite(distinct).optional(),
        remove: z.array(z.string().max(200)).max(200).overwrite(distinct).optional(),
      })
      .optional(),
  })
  .refine(isChange, mustChange)
  .meta({ id: 'UpdateSubject' })
export type UpdateSubject = z.infer<typeof UpdateSubject>

/** `version`: of the text agreed to; `source`: where consent was given, such as a form, desk or page. */
export const GrantConsent = z
  .strictObject({ scope: word, version: word, source: word })
  .meta({ id: 'GrantConsent' })
export type GrantConsent = z.infer<typeof GrantConsent>

/** The consent to withdraw, also as the body that recorded it. The scope may be given in the query instead. */
export const RevokeConsent = z
  .strictObject({
    scope: word.optional(),
    version: word
      .optional()
      .meta({ description: 'Accepted and not used: a consent is withdrawn as a whole.' }),
    source: word.optional().meta({ description: 'Accepted and not used.' }),
  })
  .meta({ id: 'RevokeConsent' })
/** The consent to withdraw; may be given in the body instead. */
export const RevokeConsentQuery = z.object({ scope: word.optional() })

/** `withdrawnAt` is null if there never was a consent for the scope. */
export const RevokedConsent = z
  .object({ scope: z.string(), withdrawnAt: Instant.nullable() })
  .meta({ id: 'RevokedConsent' })
export type RevokedConsent = z.infer<typeof RevokedConsent>
