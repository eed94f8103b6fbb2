import { z } from 'zod'
import { Channel, Id, Instant } from '../common.ts'
import { locales, stages, subjectRoles } from '../enums.ts'
import { limits } from '../limits.ts'

const word = z.string().trim().min(1).max(100)
const words = z.array(z.string().trim().min(1).max(200)).max(200)

/** How the producer's systems name a person: up to 100 visible characters. What is bound under it must hold to this. */
export const Uid = z
  .string()
  .regex(/^[^\s\p{C}]{1,100}$/u, 'up to 100 characters, without spaces and control characters')

/** In a path: the uid, or the service's own subject id, so that a system that was given only the id can map it back. */
const Named = z
  .string()
  .min(1)
  .max(limits.pathPartLength)
  .regex(/^[^\0]+$/)

/** The path of every operation on one person. */
export const SubjectParams = z.object({ uid: Named })
/** Whose address, and on which channel. */
export const AddressParams = z.object({ uid: Named, channel: Channel })

/** Only moves forward: a change that would move it backward is ignored. */
export const Stage = z.enum(stages)

/** ASCII with namespaces before colons: `interest:robotics`, `alumni:law`. */
export const SubjectTag = z
  .string()
  .max(200)
  .regex(/^[!-9;-~]+(:[!-9;-~]+)+$/, 'ASCII without spaces, namespace:value')

/** How somebody first came to us; written once and never again. `ref` is a campaign, QR code or intake period. */
export const Acquisition = z
  .strictObject({
    source: z
      .string()
      .max(100)
      .regex(
        /^(chat_embed|chat_follow|directory|import|event:[!-~]+)$/,
        'chat_embed, directory, import or event:<source>',
      ),
    ref: z.string().trim().min(1).max(200).optional(),
  })
  .meta({ id: 'Acquisition' })

/** What audiences choose by, and the language people are written to in. */
export const Profile = z
  .strictObject({
    displayName: z.string().trim().min(1).max(200).nullable(),
    locale: z.enum(locales),
    roles: z.array(z.enum(subjectRoles)).max(subjectRoles.length),
    orgUnits: words,
    classIds: words,
    attributes: z
      .record(z.string().min(1).max(100), z.unknown())
      .meta({ description: 'Anything else. In a change: keys are set one by one, null removes one.' }),
  })
  .meta({ id: 'Profile' })

/** A consent of one person for one scope; `withdrawnAt` null while it is in force. */
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

/** Where somebody is reached. `blocked`: they blocked the account; `suppressed`: the address bounced or complained. */
export const SubjectAddress = z
  .object({
    channel: Channel,
    address: z.string(),
    boundAt: Instant,
    blocked: z.boolean(),
    suppressed: z.boolean(),
  })
  .meta({ id: 'SubjectAddress' })

/** The two names of one person: the producer's and the service's. */
export const SubjectRef = z.object({ uid: z.string(), subjectId: Id }).meta({ id: 'SubjectRef' })
export type SubjectRef = z.infer<typeof SubjectRef>

/** A person as the service knows them. */
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

/** Binds an address of a channel to a person. */
export const BindAddress = z
  .strictObject({
    address: z
      .string()
      .trim()
      .min(1)
      .max(320)
      .meta({ description: 'A mail address, or the id that the chat provider gives the person.' }),
    acquisition: Acquisition.optional(),
  })
  .meta({ id: 'BindAddress' })
export type BindAddress = z.infer<typeof BindAddress>

/** What another system knows anew. What is left out stays as it is. */
export const UpdateSubject = z
  .strictObject({
    stage: Stage.optional(),
    profile: Profile.partial().optional(),
    acquisition: Acquisition.optional(),
    tags: z
      .strictObject({
        add: z.array(SubjectTag).max(200).optional(),
        remove: z.array(z.string().max(200)).max(200).optional(),
      })
      .optional(),
  })
  .meta({ id: 'UpdateSubject' })
export type UpdateSubject = z.infer<typeof UpdateSubject>

/** `version` is that of the text agreed to, `source` where it was: a form, a desk, a page. */
export const GrantConsent = z
  .strictObject({ scope: word, version: word, source: word })
  .meta({ id: 'GrantConsent' })
export type GrantConsent = z.infer<typeof GrantConsent>

/** Which consent is withdrawn; may stand in the query instead. */
export const RevokeConsent = z.strictObject({ scope: word.optional() }).meta({ id: 'RevokeConsent' })
/** Which consent; it may be said in a body instead. */
export const RevokeConsentQuery = z.object({ scope: word.optional() })

/** `withdrawnAt` null: there never was one, and so there is none now either. */
export const RevokedConsent = z
  .object({ scope: z.string(), withdrawnAt: Instant.nullable() })
  .meta({ id: 'RevokedConsent' })
export type RevokedConsent = z.infer<typeof RevokedConsent>
