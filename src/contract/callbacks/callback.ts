import { z } from 'zod'
import { distinct, Id, Instant, isChange, mustChange, PageQuery, pageOf, UnitId } from '../common.ts'
import { callbackOutcomes, callbackTypes, disabledReasons } from '../enums.ts'
import { MessageState } from '../messages/enum-schemas.ts'

/**
 * The event types of callbacks: a message changed state; it was closed, with its final counts; a person answered it; the
 * counts of its answers, at most once a minute. A callback whose URL was not written by a key with individual targeting
 * receives `message.answers` in place of `message.answered`.
 */
export const CallbackType = z.enum(callbackTypes)

const url = z
  .url({ protocol: /^https?$/, error: 'must be an https URL' })
  .max(2_000)
  .meta({ description: 'An https URL with a public address. Redirects are not followed.' })
const description = z.string().trim().max(200)
const types = z.array(CallbackType).min(1).max(callbackTypes.length).overwrite(distinct)

/** A new callback. Without `types` it receives every type. */
export const CreateCallback = z
  .strictObject({
    unitId: UnitId,
    url,
    description: description.optional(),
    types: types.optional(),
  })
  .meta({ id: 'CreateCallback' })
export type CreateCallback = z.infer<typeof CreateCallback>

/** Omitted fields are unchanged. `enabled: true` on an enabled callback sends pending deliveries immediately. */
export const EditCallback = z
  .strictObject({
    url: url.optional(),
    description: description.optional(),
    types: types.optional(),
    enabled: z.boolean().optional(),
  })
  .refine(isChange, mustChange)
  .meta({ id: 'EditCallback' })
export type EditCallback = z.infer<typeof EditCallback>

/** A callback, without its secret. `failing`: a delivery was exhausted, and none has succeeded since. */
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
      .meta({ description: 'gone: the endpoint answered 410. asked: a caller disabled it.' }),
    failingSince: Instant.nullable().meta({
      description: 'The first failed attempt since the last success.',
    }),
    exhausted: z.int().min(0).meta({ description: 'Exhausted deliveries since the last success.' }),
    lastDeliveredAt: Instant.nullable(),
    oldSecretUntil: Instant.nullable().meta({
      description: 'Until then requests are also signed with the previous secret.',
    }),
    createdAt: Instant,
  })
  .meta({ id: 'Callback' })
export type Callback = z.infer<typeof Callback>

const secret = z.string().meta({ description: 'whsec_…, returned only in this response.' })

/** A new callback with its secret. */
export const CreatedCallback = Callback.extend({ secret }).meta({ id: 'CreatedCallback' })
export type CreatedCallback = z.infer<typeof CreatedCallback>

/** The new secret. Until `oldSecretUntil` requests are also signed with the previous one. */
export const RotatedCallback = z.object({ secret, oldSecretUntil: Instant }).meta({ id: 'RotatedCallback' })
export type RotatedCallback = z.infer<typeof RotatedCallback>

/** The callback is deleted. */
export const DeletedCallback = z.object({ deleted: z.literal(true) }).meta({ id: 'DeletedCallback' })
export type DeletedCallback = z.infer<typeof DeletedCallback>

/** One page of a unit's callbacks, newest first. */
export const CallbackPage = pageOf(Callback).meta({ id: 'CallbackPage' })
export type CallbackPage = z.infer<typeof CallbackPage>

/** Sessions of people in several units must pass unitId. */
export const CallbackListQuery = PageQuery.extend({ unitId: UnitId })
export type CallbackListQuery = z.infer<typeof CallbackListQuery>

const status = z
  .int()
  .nullable()
  .meta({ description: 'The HTTP status of the response; null if there was none.' })
const code = z
  .string()
  .nullable()
  .meta({
    description:
      'Why the attempt failed: http_error, redirect, timeout, no_connection, address_refused, secret_unreadable, ' +
      'individual_targeting_disabled, internal, …',
  })

/** The result of a test. */
export const TestedCallback = z
  .object({ delivered: z.boolean(), status, code, durationMs: z.int().min(0) })
  .meta({ id: 'TestedCallback' })
export type TestedCallback = z.infer<typeof TestedCallback>

/** One delivery, with its last attempt. Its id is the `webhook-id` header of the request. */
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

/** One page of a callback's deliveries, sent and pending, newest first. */
export const CallbackDeliveryPage = pageOf(CallbackDelivery).meta({ id: 'CallbackDeliveryPage' })
export type CallbackDeliveryPage = z.infer<typeof CallbackDeliveryPage>
