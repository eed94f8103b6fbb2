import { z } from 'zod'
import { Id, Instant, PageQuery, pageOf } from '../common.ts'
import { callbackOutcomes, callbackTypes, disabledReasons } from '../enums.ts'
import { MessageState } from '../messages/enum-schemas.ts'

/** What a callback can be told: a message changed its state; nothing can happen to it any more, with its final counts. */
export const CallbackType = z.enum(callbackTypes)

const url = z
  .url({ protocol: /^https?$/, error: 'must be an https address' })
  .max(2_000)
  .meta({ description: 'https, with a public address. No redirects are followed.' })
const description = z.string().trim().max(200)
const types = z.array(CallbackType).min(1).max(callbackTypes.length)

/** A new callback. Without `types` it is told everything. */
export const CreateCallback = z
  .strictObject({
    unitId: z
      .string()
      .optional()
      .meta({ description: 'Sessions with several units. Ignored for producer keys.' }),
    url,
    description: description.optional(),
    types: types.optional(),
  })
  .meta({ id: 'CreateCallback' })
export type CreateCallback = z.infer<typeof CreateCallback>

/** What of a callback changes. `enabled: true` also sends at once what still waits. */
export const EditCallback = z
  .strictObject({
    url: url.optional(),
    description: description.optional(),
    types: types.optional(),
    enabled: z.boolean().optional(),
  })
  .refine((edit) => Object.keys(edit).length > 0, 'names nothing to change')
  .meta({ id: 'EditCallback' })
export type EditCallback = z.infer<typeof EditCallback>

/** A callback, without its secret. `failing`: something was given up, and nothing was taken since. */
export const Callback = z
  .object({
    id: Id,
    unitId: Id,
    url: z.string(),
    description: z.string(),
    types: z.array(CallbackType),
    state: z.enum(['active', 'failing', 'disabled']),
    disabledReason: z
      .enum(disabledReasons)
      .nullable()
      .meta({ description: 'gone: their server answered 410.' }),
    failingSince: Instant.nullable().meta({ description: 'The first failed try since the last success.' }),
    givenUp: z
      .int()
      .min(0)
      .meta({ description: 'Deliveries that were never taken, since the last success.' }),
    lastDeliveredAt: Instant.nullable(),
    oldSecretUntil: Instant.nullable().meta({
      description: 'Until then the secret before it signs as well.',
    }),
    createdAt: Instant,
  })
  .meta({ id: 'Callback' })
export type Callback = z.infer<typeof Callback>

const secret = z.string().meta({ description: 'whsec_…, shown only in this answer.' })

/** A new callback with its secret. */
export const CreatedCallback = Callback.extend({ secret }).meta({ id: 'CreatedCallback' })
export type CreatedCallback = z.infer<typeof CreatedCallback>

/** The new secret; the one before it signs as well until `oldSecretUntil`. */
export const RotatedCallback = z.object({ secret, oldSecretUntil: Instant }).meta({ id: 'RotatedCallback' })
export type RotatedCallback = z.infer<typeof RotatedCallback>

/** It is told nothing more. */
export const DeletedCallback = z.object({ deleted: z.literal(true) }).meta({ id: 'DeletedCallback' })
export type DeletedCallback = z.infer<typeof DeletedCallback>

/** Callbacks of a unit, newest first. */
export const CallbackPage = pageOf(Callback).meta({ id: 'CallbackPage' })
export type CallbackPage = z.infer<typeof CallbackPage>

/** A session with several units says which. */
export const CallbackListQuery = PageQuery.extend({ unitId: z.string().min(1).optional() })
export type CallbackListQuery = z.infer<typeof CallbackListQuery>

const status = z
  .int()
  .nullable()
  .meta({ description: 'The HTTP status they answered; null without an answer.' })
const code = z.string().nullable().meta({
  description:
    'Why it was not taken: http_error, redirect, timeout, no_connection, address_refused, secret_unreadable, internal, …',
})

/** How a test went. */
export const TestedCallback = z
  .object({ delivered: z.boolean(), status, code, durationMs: z.int().min(0) })
  .meta({ id: 'TestedCallback' })
export type TestedCallback = z.infer<typeof TestedCallback>

/** One thing told, with its last try. Its id is the `webhook-id` that the callback got. */
export const CallbackDelivery = z
  .object({
    id: Id,
    type: CallbackType,
    messageId: Id,
    messageState: MessageState,
    state: z.enum(callbackOutcomes),
    tries: z.int().min(0),
    status,
    code,
    at: Instant,
    lastTryAt: Instant.nullable(),
    nextTryAt: Instant.nullable(),
  })
  .meta({ id: 'CallbackDelivery' })
export type CallbackDelivery = z.infer<typeof CallbackDelivery>

/** What a callback was told and is to be told, newest first. */
export const CallbackDeliveryPage = pageOf(CallbackDelivery).meta({ id: 'CallbackDeliveryPage' })
export type CallbackDeliveryPage = z.infer<typeof CallbackDeliveryPage>
