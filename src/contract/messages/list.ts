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
  Search,
  UnitId,
} from '../common.ts'
import { decisionReasons } from '../enums.ts'
import { limits } from '../limits.ts'
import { LocalisedText } from '../localised-text.ts'
import { OwnReference } from './create.ts'
import { MessageKind, MessageState, Origin, Problem, RemindTo } from './enum-schemas.ts'

const count = z.int().min(0)

const tally = {
  sent: count.describe('Deliveries that the provider accepted.'),
  skipped: z
    .record(z.string(), count)
    .describe(
      'Deliveries that were not tried, by reason, such as noConsent, noAddress, preferenceOff, blocked, frequency, ' +
        'doNotRemind, answered, cancelled, stopped, expired or parked.',
    ),
  failed: count.describe('Deliveries that the provider rejected for good.'),
  unknown: count.describe('Deliveries that may or may not have arrived: the provider reported no outcome.'),
  pending: count.describe('Deliveries without an outcome so far.'),
}

const People = z.object({
  reached: count.describe('People to whom at least one delivery was sent.'),
  unknown: count.describe('People without a sent delivery, for whom at least one may have arrived.'),
  failed: count.describe('People for whom every attempted delivery failed.'),
  skipped: count.describe('People for whom no delivery was attempted.'),
  pending: count.describe('People without an outcome so far.'),
})

/** Deliveries of one wave, from its counters: about a second old while it is being sent, exact once closed. */
export const MessageStats = z
  .object({
    ...tally,
    byChannel: z.partialRecord(Channel, z.object(tally)).describe('The same counts by channel.'),
    people: People.nullable().describe(
      'The same in people, each once, whatever the number of their deliveries. null while a message is sent on several ' +
        'channels at once.',
    ),
  })
  .meta({
    id: 'MessageStats',
    description:
      'Counts of deliveries of the send or the reminder, and of people in `people`: about a second old while it is ' +
      'being sent, exact once closed.',
  })
export type MessageStats = z.infer<typeof MessageStats>

export const Verdict = z
  .object({
    allowed: z.boolean().describe('Whether the caller may do this now.'),
    code: z
      .string()
      .optional()
      .describe('The code of the error that the call would return now. Omitted if it is allowed.'),
    message: z
      .string()
      .optional()
      .describe('Why not, and what to do, in English, for people. Omitted if it is allowed.'),
    reason: z
      .enum(decisionReasons)
      .optional()
      .describe(
        'Why a version that waits cannot be in force: its category is disabled, or another scenario has its triggers, ' +
          'or another binding its events. Omitted if it is allowed, or if `code` says why.',
      ),
  })
  .meta({
    id: 'Verdict',
    description: 'Whether the caller may do this now; if not, the error that the call would return.',
  })

const Allowed = z
  .object({
    edit: Verdict.describe('Change the draft, leaving category, audience and references as they are.'),
    submit: Verdict.describe('Submit the draft. In lists without rendering it or counting its audience.'),
    approve: Verdict.describe('Approve it; for a producer key, run the automatic check.'),
    reject: Verdict.describe('Reject it, with a reason for the author.'),
    withdraw: Verdict.describe('Take it back while it waits for its approval, to edit it.'),
    cancel: Verdict.describe('Cancel it, or its waiting reminder.'),
    pause: Verdict.describe('Pause it, or its reminder.'),
    resume: Verdict.describe('Resume it, or its reminder.'),
    stop: Verdict.describe('Stop the send, or the reminder, that has begun.'),
    retry: Verdict.describe('Retry a parked send, or skip its remaining recipients.'),
  })
  .meta({
    id: 'Allowed',
    description:
      'What the caller may do, so that no client has to copy the rules: by role, state, the restrictions of a key, ' +
      'references, authorship and quota. In the detail of a draft also by its text and the size of its audience.',
  })

export const MessageListItem = z
  .object({
    id: Id.describe('The id of the message.'),
    version: z
      .int()
      .describe(
        'Increases with every change. Pass it in If-Match, and to approve and reject what was shown.',
      ),
    title: LocalisedText.describe(
      "The subject of its mail: of the template, the first card or text. The category's name for callers who may not " +
        'see the text of a personal message.',
    ),
    state: MessageState.describe('The state of the message.'),
    reference: z
      .string()
      .nullable()
      .describe("The producer's own reference; null: none, or a person whom it was about was erased."),
    kind: MessageKind.describe(
      'Who may see its text: of a `personal` message only its authors and approvers.',
    ),
    origin: Origin.describe(
      'Where it came from: `api`, a producer key; `console`, a person in the console; `event`, a signed event; `schedule`, a ' +
        'schedule.',
    ),
    unitId: Id.describe('The unit that sends it.'),
    category: z
      .object({
        id: z.string().describe('The id of the category.'),
        name: LocalisedText.describe('Its name, as recipients see it.'),
      })
      .describe('The category of the message.'),
    author: Actor.describe('Who created it.'),
    createdAt: Instant.describe('When it was created, in UTC.'),
    submittedAt: Instant.nullable().describe('When it was last submitted, in UTC; null for a draft.'),
    scheduleAt: Instant.nullable().describe('When to send, in UTC; null: at approval.'),
    expiresAt: Instant.nullable().describe('From when on nothing is sent, in UTC; null: never.'),
    startsAt: Instant.nullable().describe(
      'The earliest time of the send, in UTC: scheduleAt or, if that is later, the end of the time for which its category ' +
        'holds a message that a person has approved. Until then it can be cancelled. null: as soon as it is approved.',
    ),
    remindAt: Instant.nullable().describe('When to send the reminder, in UTC; null: none.'),
    remindTo: RemindTo.nullable().describe(
      'Its recipients: `all` who received the message, or the `unanswered` of them. null: no reminder.',
    ),
    recipients: z
      .object({
        total: z.int().describe('Subjects who will receive it.'),
        byChannel: CountByChannel.describe('Deliveries by channel.'),
      })
      .nullable()
      .describe('From the stored dry-run; null before submit.'),
    stats: MessageStats.optional().describe(
      'Counts of the deliveries of the send. In lists omitted until the deliveries are written.',
    ),
    wouldExceed: z.boolean().describe('Whether the stored dry-run exceeds the quota of any channel.'),
    review: z
      .object({
        reason: z
          .string()
          .optional()
          .describe('Why the automatic check left it to a person. Omitted if it did not run.'),
        drift: z
          .boolean()
          .optional()
          .describe('true: audience or quota changed after an approval; `drift` in the detail says how.'),
      })
      .describe('Why a person must review it. Empty if there is no special reason.'),
    problem: Problem.optional().describe(
      'Why it cannot continue at the moment: `provider` is down or rejects the installation, `unknown_recipients`: the ' +
        'mail server rejects so many recipients that it is not believed, `provider_quota` or ' +
        '`quota` is exhausted, or `internal`: a step keeps failing. It is retried automatically. Omitted: no problem.',
    ),
    allowed: Allowed.describe('What the caller may do with it now.'),
  })
  .meta({ id: 'MessageListItem', description: 'A message in a list: enough to draw a row.' })
export type MessageListItem = z.infer<typeof MessageListItem>

export const MessagePage = pageOf(MessageListItem).meta({
  id: 'MessagePage',
  description: "One page of a unit's messages.",
})
export type MessagePage = z.infer<typeof MessagePage>

/**
 * Newest first unless `order=oldest`. `state` may be repeated. Sessions of people in several units must pass unitId.
 */
export const MessageListQuery = PageQuery.extend({
  unitId: UnitId,
  state: oneOrMore(MessageState)
    .optional()
    .describe('Only messages in these states. May be repeated. Omitted: all.'),
  reference: OwnReference.optional().describe('Only messages with this reference, compared exactly.'),
  categoryId: Reference.optional().describe('Only messages of this category.'),
  topicId: Reference.optional().describe('Only messages of this topic.'),
  createdAfter: DateTime.optional().describe(
    'Only messages created after this time: ISO 8601 with an offset; write + as %2B.',
  ),
  createdBefore: DateTime.optional().describe(
    'Only messages created before this time: ISO 8601 with an offset; write + as %2B.',
  ),
  q: Search.optional().describe(
    `Only messages whose title contains this, among the newest ${limits.searchedMessages.toLocaleString('en')}, or whose id or reference it is. ` +
      'Titles of personal messages only for callers who may see their text. Omitted: all.',
  ),
  order: z
    .enum(['newest', 'oldest'])
    .default('newest')
    .describe('By creation: the newest first, or the oldest. Default: newest.'),
})
export type MessageListQuery = z.infer<typeof MessageListQuery>
