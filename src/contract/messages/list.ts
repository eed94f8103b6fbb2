import { z } from 'zod'
import {
  Actor,
  Channel,
  CountByChannel,
  DateTime,
  Id,
  Instant,
  oneOrMore,
  PageQuery,
  pageOf,
  Reference,
  UnitId,
} from '../common.ts'
import { LocalisedText } from '../localised-text.ts'
import { MessageKind, MessageState, Origin, Problem } from './enum-schemas.ts'

const count = z.int().min(0)

const tally = {
  sent: count,
  skipped: z
    .record(z.string(), count)
    .meta({ description: 'By reason, such as noConsent, cancelled or expired.' }),
  failed: count,
  unknown: count.meta({ description: 'May or may not have arrived: the provider reported no outcome.' }),
  pending: count,
}

/** Deliveries of one wave, from its counters: about a second old while it is being sent, exact once closed. */
export const MessageStats = z
  .object({ ...tally, byChannel: z.partialRecord(Channel, z.object(tally)) })
  .meta({ id: 'MessageStats' })
export type MessageStats = z.infer<typeof MessageStats>

/** `true` if the caller may do this now; otherwise the error that the call would return. `message` is for people. */
export const Verdict = z
  .union([z.literal(true), z.object({ code: z.string(), message: z.string() })])
  .meta({ id: 'Verdict' })

/**
 * What the caller may do, so that no client has to copy the table of moves: by role, state, the restrictions of a key,
 * references, authorship and quota. In the detail of a draft also by its text and the size of its audience.
 */
export const Allowed = z
  .object({
    edit: Verdict,
    submit: Verdict,
    approve: Verdict,
    reject: Verdict,
    cancel: Verdict,
    pause: Verdict,
    resume: Verdict,
    stop: Verdict,
    retry: Verdict,
  })
  .meta({ id: 'Allowed' })
export type Allowed = z.infer<typeof Allowed>

/**
 * A message in a list. `title` is also the subject of its mail; for callers who may not see the text of a personal
 * message, it is the category's name.
 */
export const MessageListItem = z
  .object({
    id: Id,
    version: z.int(),
    title: LocalisedText,
    state: MessageState,
    kind: MessageKind,
    origin: Origin,
    unitId: Id,
    category: z.object({ id: z.string(), name: LocalisedText }),
    author: Actor,
    createdAt: Instant,
    submittedAt: Instant.nullable(),
    scheduleAt: Instant.nullable(),
    expiresAt: Instant.nullable(),
    remindAt: Instant.nullable(),
    recipients: z
      .object({ total: z.int(), byChannel: CountByChannel })
      .nullable()
      .meta({ description: 'From the stored dry-run; null before submit.' }),
    stats: MessageStats.optional().meta({
      description: 'In lists, omitted until the deliveries are written.',
    }),
    wouldExceed: z
      .boolean()
      .meta({ description: 'Whether the stored dry-run exceeds the quota of any channel.' }),
    review: z.object({ reason: z.string().optional(), drift: z.boolean().optional() }).meta({
      description:
        'Why a person must review it. drift: after approval, audience or quota changed; `drift` in the detail says how.',
    }),
    problem: Problem.optional(),
    allowed: Allowed,
  })
  .meta({ id: 'MessageListItem' })
export type MessageListItem = z.infer<typeof MessageListItem>

/** One page of a unit's messages. */
export const MessagePage = pageOf(MessageListItem).meta({ id: 'MessagePage' })
export type MessagePage = z.infer<typeof MessagePage>

/**
 * Newest first unless `order=oldest`. `state` may be repeated. Sessions of people in several units must pass unitId.
 */
export const MessageListQuery = PageQuery.extend({
  unitId: UnitId,
  state: oneOrMore(MessageState).optional(),
  categoryId: Reference.optional(),
  topicId: Reference.optional(),
  createdAfter: DateTime.optional(),
  order: z.enum(['newest', 'oldest']).default('newest'),
})
export type MessageListQuery = z.infer<typeof MessageListQuery>
