import { z } from 'zod'
import { orBroken } from '../broken-rule.ts'
import { distinct, Id, Instant, isChange, mustChange, PageQuery, pageOf, UnitId } from '../common.ts'
import { callbackOutcomes, callbackTypes, disabledReasons } from '../enums.ts'
import { MessageState } from '../messages/enum-schemas.ts'

/**
 * The event types of callbacks: a message changed state; it was closed, with its final counts; a person answered it; the
 * counts of its answers, at most once a minute; a run of a scenario was answered, or ended. A callback whose URL was
 * not written by a key with individual targeting receives `message.answer_counts` in place of `message.answered`.
 */
const CallbackType = z.enum(callbackTypes).meta({
  id: 'CallbackType',
  description:
    'A kind of event. `message.state_changed`: a new state. `message.closed`: nothing will change any more. ' +
    '`message.answered`: one answer of one subject. `message.answer_counts`: the counts of its answers. `run.answered`: one ' +
    'answer in a run of a scenario. `run.ended`: the end of a run, with its reason. `delivery.failed`: deliveries of a ' +
    'message that failed, many at a time. `registration.changed`: where a person stands in a pattern. `handoff.opened`, ' +
    '`handoff.closed`, `import.closed`. `address.suppressed`: nothing more is sent to an address; `preference.changed`: what ' +
    'a person has switched; both for administrative units, and the second for the topics of others.',
})

const url = z
  .url({ protocol: /^https?$/, ...orBroken('not_https', { of: 'url' }) })
  .max(2_000)
  .describe('An https URL with a public address. Redirects are not followed.')
const description = z.string().trim().max(200)
const types = z.array(CallbackType).min(1).max(callbackTypes.length).overwrite(distinct)
const aboutTypes =
  '`message.state_changed`; `message.closed`, with the final counts; `message.answered`, which names people; ' +
  '`message.answer_counts`, counts only; `run.answered`, which names people; `run.ended`; and others, which are sent only to ' +
  'callbacks that name them. The section webhooks of this document describes the requests.'

export const CreateCallback = z
  .strictObject({
    unitId: UnitId,
    url,
    description: description.optional().describe('What it is for, at most 200 characters. Default: empty.'),
    types: types
      .optional()
      .describe(`The types of event to send. Omitted: those about messages and runs. ${aboutTypes}`),
  })
  .meta({ id: 'CreateCallback', description: 'Where to send which events of the unit.' })
export type CreateCallback = z.infer<typeof CreateCallback>

export const EditCallback = z
  .strictObject({
    url: url.optional(),
    description: description.optional().describe('What it is for, at most 200 characters.'),
    types: types.optional().describe(`The types of event to send. ${aboutTypes}`),
    enabled: z
      .boolean()
      .optional()
      .describe(
        'false discards pending deliveries and sends no more. true enables it; on an enabled callback it sends pending ' +
          'deliveries immediately.',
      ),
  })
  .refine(isChange, mustChange)
  .meta({
    id: 'EditCallback',
    minProperties: 1,
    description: 'Changes to a callback, at least one. Omitted fields are unchanged.',
  })
export type EditCallback = z.infer<typeof EditCallback>

export const Callback = z
  .object({
    id: Id.describe('The id of the callback.'),
    unitId: Id.describe('The unit whose messages it is about.'),
    url: z.string().describe('Where requests are sent.'),
    description: z.string().describe('What it is for; may be empty.'),
    types: z.array(CallbackType).describe('The types of event that are sent to it.'),
    state: z
      .enum(['active', 'failing', 'disabled'])
      .describe(
        '`failing`: a delivery was exhausted, and none has succeeded since. `disabled`: nothing is sent.',
      ),
    disabledReason: z
      .enum(disabledReasons)
      .nullable()
      .describe(
        '`gone`: the endpoint answered 410. `by_caller`: a caller disabled it. null: it is not disabled.',
      ),
    failingSince: Instant.nullable().describe(
      'The first failed attempt since the last success, in UTC; null: there is none.',
    ),
    exhaustedDeliveries: z.int().min(0).describe('Exhausted deliveries since the last success.'),
    lastDeliveredAt: Instant.nullable().describe('The last success, in UTC; null: none yet.'),
    oldSecretExpiresAt: Instant.nullable().describe(
      'Until then, in UTC, requests are also signed with the previous secret; null: they are not.',
    ),
    createdAt: Instant.describe('When it was registered, in UTC.'),
  })
  .meta({ id: 'Callback', description: 'Where Carillon sends events of a unit, and how well that works.' })
export type Callback = z.infer<typeof Callback>

const secret = z
  .string()
  .describe('`whsec_…`, for the verification of requests. Returned only in this response: store it safely.')

export const CreatedCallback = Callback.extend({ secret }).meta({
  id: 'CreatedCallback',
  description: 'A new callback with its secret.',
})
export type CreatedCallback = z.infer<typeof CreatedCallback>

export const RotatedCallback = z
  .object({
    secret,
    oldSecretExpiresAt: Instant.describe(
      'Until then, in UTC, requests are also signed with the previous secret.',
    ),
  })
  .meta({ id: 'RotatedCallback', description: 'The new secret of a callback.' })
export type RotatedCallback = z.infer<typeof RotatedCallback>

export const DeletedCallback = z
  .object({ deleted: z.literal(true).describe('Always true.') })
  .meta({ id: 'DeletedCallback', description: 'The callback is deleted, with its pending deliveries.' })
export type DeletedCallback = z.infer<typeof DeletedCallback>

export const CallbackPage = pageOf(Callback).meta({
  id: 'CallbackPage',
  description: "One page of a unit's callbacks, newest first.",
})
export type CallbackPage = z.infer<typeof CallbackPage>

/** Sessions of people in several units must pass unitId. */
export const CallbackListQuery = PageQuery.extend({ unitId: UnitId })
export type CallbackListQuery = z.infer<typeof CallbackListQuery>

const httpStatus = z.int().nullable().describe('The HTTP status of the response; null if there was none.')
const reason = z
  .string()
  .nullable()
  .describe(
    'Why the attempt failed; null if it succeeded or has not been made: `http_error`, `redirect`, ' +
      '`timeout`, `no_connection`, `address_refused`, `secret_unreadable`, `individual_targeting_disabled`, `internal` and ' +
      'others.',
  )

export const TestedCallback = z
  .object({
    delivered: z.boolean().describe('Whether the endpoint answered with a 2xx.'),
    httpStatus,
    reason,
    durationMs: z.int().min(0).describe('How long the request took, in milliseconds.'),
  })
  .meta({ id: 'TestedCallback', description: 'The result of a test request.' })
export type TestedCallback = z.infer<typeof TestedCallback>

export const CallbackDelivery = z
  .object({
    id: Id.describe('The id of the delivery: the `webhook-id` header of its requests.'),
    type: CallbackType.describe('The type of event.'),
    messageId: Id.nullable().describe('The message that it is about; null: it is about something else.'),
    runId: Id.nullable().describe(
      'The run of a scenario that it is about; null: it is about something else.',
    ),
    objectId: Id.optional().describe(
      'The handoff, import or subject that it is about. Omitted: it is about a message or a run.',
    ),
    messageState: MessageState.nullable().describe(
      'The state of the message when the event happened; null: it is about something else.',
    ),
    state: z
      .enum(callbackOutcomes)
      .describe(
        '`pending`: it will be tried, again or for the first time. `failed`: it will not be tried again.',
      ),
    tries: z.int().min(0).describe('How often it was tried.'),
    httpStatus,
    reason,
    at: Instant.describe('When the event happened, in UTC.'),
    lastTryAt: Instant.nullable().describe('When it was last tried, in UTC; null: not yet.'),
    nextTryAt: Instant.nullable().describe('When it is tried next, in UTC; null: not again.'),
  })
  .meta({
    id: 'CallbackDelivery',
    description: 'One event for the callback, with the last attempt to deliver it.',
  })
export type CallbackDelivery = z.infer<typeof CallbackDelivery>

export const CallbackDeliveryPage = pageOf(CallbackDelivery).meta({
  id: 'CallbackDeliveryPage',
  description: "One page of a callback's deliveries, newest first.",
})
export type CallbackDeliveryPage = z.infer<typeof CallbackDeliveryPage>
