import { z } from 'zod'
import { Channel, Id, Instant, Locale } from '../common.ts'
import {
  type CallbackType,
  handoffEnds,
  registrationStates,
  suppressionReasons,
  waveStates,
} from '../enums.ts'
import { exampleId, exampleUnitId } from '../example-ids.ts'
import { limits } from '../limits.ts'
import { PostbackData } from '../messages/content.ts'
import { MessageState } from '../messages/enum-schemas.ts'
import { MessageStats } from '../messages/list.ts'

/** The headers of each request to a callback, besides Content-Type. */
export const callbackRequestHeaders = z.object({
  'webhook-id': z
    .string()
    .describe('The id of the delivery, the same in every attempt. Store it to detect duplicates.'),
  'webhook-timestamp': z
    .string()
    .describe(
      'When this attempt was made, in Unix seconds. Reject requests that are more than 300 seconds old.',
    ),
  'webhook-signature': z
    .string()
    .describe(
      '`v1,` and the Base64 HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<raw body>` under the secret of the ' +
        'callback. For a day after a rotation there are two, separated by a space: accept the request if one fits.',
    ),
  'user-agent': z.string().describe('`Carillon`.'),
  traceparent: z
    .string()
    .optional()
    .describe(
      'The span of this attempt (W3C Trace Context), where the installation records traces. It is not signed: use it ' +
        'for traces only.',
    ),
})

/** An event of a type, with what it is about. `name` is that of its schema, and `what` says what happened. */
function eventOf<Type extends string, Data extends z.ZodType>(
  { type, name, what }: { type: Type; name: string; what: string },
  data: Data,
) {
  return z
    .object({
      type: z.literal(type).describe('The type of event.'),
      timestamp: Instant.describe('When it happened, in UTC. The same in every attempt.'),
      data,
    })
    .meta({ id: name, description: what })
}

const about = {
  messageId: Id.describe('The message.'),
  unitId: Id.describe('The unit of the message and of the callback.'),
}
/** What every callback about a message says of it. */
const aboutMessage = {
  ...about,
  reference: z.string().nullable().describe("The producer's own reference of the message; null: none."),
}
const version = z
  .int()
  .min(1)
  .describe(
    'The version of the message. It increases with every change, and orders the events of one message.',
  )

/** A message changed state. */
const StateChangedEvent = eventOf(
  { type: 'message.state_changed', name: 'StateChangedEvent', what: 'A message changed state.' },
  z
    .object({
      ...aboutMessage,
      state: MessageState.describe('The new state. The first one sent is `submitted`.'),
      version,
      from: MessageState.describe('The state before.'),
    })
    .describe('What changed. Read the message for everything else.'),
)

/** A message can no longer change. */
const ClosedEvent = eventOf(
  {
    type: 'message.closed',
    name: 'ClosedEvent',
    what: 'A message can no longer change. Its counts are final.',
  },
  z
    .object({
      ...aboutMessage,
      state: MessageState.describe('The final state.'),
      version,
      stats: MessageStats.nullable().describe('The final counts of the send; null if none was prepared.'),
      reminder: z
        .object({
          state: z.enum(waveStates).describe('How the reminder ended.'),
          stats: MessageStats.nullable().describe('Its final counts; null if it was not prepared.'),
        })
        .optional()
        .describe('The outcome of the reminder. Omitted if the message had none.'),
    })
    .describe('How it ended.'),
)

/** A person answered a question of a message. */
const AnsweredEvent = eventOf(
  {
    type: 'message.answered',
    name: 'AnsweredEvent',
    what: 'A person answered a question of a message.',
  },
  z
    .object({
      ...aboutMessage,
      subjectId: Id.describe("Who answered, by Carillon's subject id."),
      uid: z.string().describe('The uid of the same person.'),
      optionId: z
        .string()
        .describe(
          'The option or button that was tapped: its own id, or its number, counted from 1, such as `2.1`. The same as ' +
            'the key in `answers` of the message.',
        ),
      data: PostbackData.nullable().describe(
        "The producer's own data of the postback that was tapped; null for any other button.",
      ),
    })
    .describe('Who answered what. It replaces an earlier answer to the same question.'),
)

/** The answers to a message so far. */
const AnswersEvent = eventOf(
  {
    type: 'message.answer_counts',
    name: 'AnswersEvent',
    what: 'How many people chose each option of a message so far.',
  },
  z
    .object({
      ...aboutMessage,
      answers: z
        .record(z.string(), z.int().min(0))
        .describe('How many people chose each option or button so far, as in `answers` of the message.'),
    })
    .describe('The counts, without personal data.'),
)

/** What every callback about a run says of it. */
const aboutRun = {
  runId: Id.describe('The run.'),
  scenarioId: Id.describe('Its scenario.'),
  version: z.int().min(1).describe('The version of the scenario that it follows.'),
  unitId: Id.describe('The unit of the scenario and of the callback.'),
}

/** A person answered in a run. */
const RunAnsweredEvent = eventOf(
  { type: 'run.answered', name: 'RunAnsweredEvent', what: 'A person answered a question of a scenario.' },
  z
    .object({
      ...aboutRun,
      subjectId: Id.describe("Who answered, by Carillon's subject id."),
      uid: z.string().describe('The uid of the same person.'),
      node: z.string().describe('The id of the question.'),
      optionId: z
        .string()
        .nullable()
        .describe('The option that was chosen; null: a typed text, which GET /v1/runs/{id} has.'),
      data: PostbackData.nullable().describe(
        "The producer's own data of the postback that was tapped; null for any other answer.",
      ),
    })
    .describe('Who answered what. The first answer to each question counts.'),
)

/** A run is over. */
const RunEndedEvent = eventOf(
  { type: 'run.ended', name: 'RunEndedEvent', what: 'A run of a scenario is over.' },
  z
    .object({
      ...aboutRun,
      state: z.enum(['done', 'cancelled', 'failed']).describe('How it ended.'),
      reason: z.string().nullable().describe('Why, as `reason` of the run; null: it is done.'),
    })
    .describe('Which run ended, and how.'),
)

const aboutPerson = {
  subjectId: Id.describe("The person, by Carillon's subject id."),
  uid: z.string().describe('The uid of the same person.'),
}

/** Deliveries of a message failed. */
const DeliveryFailedEvent = eventOf(
  {
    type: 'delivery.failed',
    name: 'DeliveryFailedEvent',
    what: 'Deliveries of a message failed. People who were skipped are not among them.',
  },
  z
    .object({
      ...aboutMessage,
      failures: z
        .array(
          z.object({
            subjectId: Id.nullable().describe(
              "The person, by Carillon's subject id; null: erased meanwhile.",
            ),
            uid: z.string().nullable().describe('The uid of the same person; null: erased meanwhile.'),
            channel: Channel.describe('On which channel.'),
            reason: z.string().nullable().describe('Why, as in the deliveries of the message.'),
          }),
        )
        .describe(`The deliveries, fewer than ${(2 * limits.failuresPerCallback).toLocaleString('en')}.`),
    })
    .describe('Who did not get it on which channel. Another channel may have reached them.'),
)

/** A person's place in a pattern changed. */
const RegistrationChangedEvent = eventOf(
  {
    type: 'registration.changed',
    name: 'RegistrationChangedEvent',
    what: "A person's place in a pattern changed.",
  },
  z
    .object({
      unitId: aboutRun.unitId,
      runId: Id.describe('The run by which the person asked last.'),
      ...aboutPerson,
      patternId: Id.describe('The pattern.'),
      state: z
        .enum(registrationStates)
        .describe('Where the person stands now, as in the registrations of the pattern.'),
      position: z.int().min(1).describe('Their position in the order in which people asked, counted from 1.'),
    })
    .describe('The registration after the change.'),
)

const aboutHandoff = {
  unitId: Id.describe('The unit that answers, and that has the callback.'),
  handoffId: Id.describe('The handoff.'),
  runId: Id.nullable().describe('The run that opened it; null: the conversational assistant did.'),
}

/** A person is handed to people of a unit. */
const HandoffOpenedEvent = eventOf(
  {
    type: 'handoff.opened',
    name: 'HandoffOpenedEvent',
    what: 'A handoff was opened: a person waits for an answer of the unit.',
  },
  z
    .object(aboutHandoff)
    .describe('The handoff. GET /v1/handoffs/{id} names the person to callers who may read it.'),
)

/** A handoff is over. */
const HandoffClosedEvent = eventOf(
  { type: 'handoff.closed', name: 'HandoffClosedEvent', what: 'A handoff is over.' },
  z
    .object({
      ...aboutHandoff,
      reason: z.enum(handoffEnds).nullable().describe('Why, as `reason` of the handoff.'),
    })
    .describe('Which handoff, and why.'),
)

/** An import is completed. */
const ImportClosedEvent = eventOf(
  { type: 'import.closed', name: 'ImportClosedEvent', what: 'Every line of an import is processed.' },
  z
    .object({
      unitId: Id.describe('The unit of the import and of the callback.'),
      importId: Id.describe('The import.'),
      lines: z.int().min(0).describe('Its lines.'),
      written: z.int().min(0).describe('Those that were written.'),
      rejected: z.int().min(0).describe('Those that were not; GET /v1/imports/{id}/rejected says why.'),
    })
    .describe('How it ended.'),
)

/** Nothing more is sent to an address. */
const AddressSuppressedEvent = eventOf(
  {
    type: 'address.suppressed',
    name: 'AddressSuppressedEvent',
    what: 'Nothing more is sent to an address of a person.',
  },
  z
    .object({
      unitId: Id.describe('The administrative unit that has the callback.'),
      ...aboutPerson,
      channel: Channel.describe('The channel of the address.'),
      reason: z.enum(suppressionReasons).describe('What led to it.'),
    })
    .describe('Whose address, on which channel, and why.'),
)

/** A person switched something off or on. */
const PreferenceChangedEvent = eventOf(
  {
    type: 'preference.changed',
    name: 'PreferenceChangedEvent',
    what: 'A person switched categories or topics off or on, or chose another language.',
  },
  z
    .object({
      unitId: Id.describe('The unit that has the callback.'),
      ...aboutPerson,
      categories: z
        .record(z.string(), z.partialRecord(Channel, z.boolean()))
        .describe(
          'The categories that were switched, by channel: true is on. For administrative units alone.',
        ),
      topics: z.record(z.string(), z.boolean()).describe('The topics that were switched: true is on.'),
      language: Locale.optional().describe('The new language. Omitted: unchanged.'),
    })
    .describe('What was switched, and to what.'),
)

/** A caller tests the callback. */
const TestEvent = eventOf(
  {
    type: 'callback.test',
    name: 'TestEvent',
    what: 'A caller tests the callback. Nothing else has happened.',
  },
  z
    .object({
      callbackId: Id.describe('The callback that is tested.'),
      unitId: Id.describe('The unit of the callback.'),
    })
    .describe('What is tested.'),
)

/** A request that Carillon sends to callbacks: when, what, and an example. */
type CallbackRequest = { summary: string; description: string; schema: z.ZodType; example: unknown }

const message = { messageId: exampleId, unitId: exampleUnitId, reference: 'open-day-2030' }
const at = '2026-12-01T01:00:00.120Z'
const person = { subjectId: exampleId, uid: 's1024001' }
const handoff = { unitId: exampleUnitId, handoffId: exampleId, runId: exampleId }
const counts = { sent: 118, skipped: { noConsent: 2 }, failed: 0, unknown: 0, pending: 0 }

/** Every request to a callback, by type (docs/api/callbacks.md). */
export const callbackRequests: Record<CallbackType | 'callback.test', CallbackRequest> = {
  'message.state_changed': {
    summary: 'A message changed state',
    description:
      'Sent for each change of state from `submitted` on; writing a draft is none. In order for each message: newer ' +
      'events wait until older ones have been delivered.',
    schema: StateChangedEvent,
    example: {
      type: 'message.state_changed',
      timestamp: at,
      data: { ...message, state: 'sending', version: 4, from: 'approved' },
    },
  },
  'message.closed': {
    summary: 'A message can no longer change',
    description:
      'Sent once for each message, with the final counts, when neither its send nor its reminder can ' +
      'continue.',
    schema: ClosedEvent,
    example: {
      type: 'message.closed',
      timestamp: at,
      data: {
        ...message,
        state: 'sent',
        version: 5,
        stats: {
          ...counts,
          byChannel: { chat: counts },
          people: { reached: 118, unknown: 0, failed: 0, skipped: 2, pending: 0 },
        },
      },
    },
  },
  'message.answered': {
    summary: 'A person answered',
    description:
      'Sent for each answer of a person that differs from their last one to the same question. It names a person: only ' +
      'for callbacks whose URL was registered, or last changed, with a key that has individual targeting. Others that ' +
      'subscribe to it receive `message.answer_counts`. In order for each person.',
    schema: AnsweredEvent,
    example: {
      type: 'message.answered',
      timestamp: at,
      data: { ...message, subjectId: exampleId, uid: 's1024001', optionId: 'yes', data: null },
    },
  },
  'message.answer_counts': {
    summary: 'The answers so far',
    description: 'Sent a minute after an answer, with all answers until then; not more often than that.',
    schema: AnswersEvent,
    example: {
      type: 'message.answer_counts',
      timestamp: at,
      data: { ...message, answers: { yes: 41, no: 7 } },
    },
  },
  'run.answered': {
    summary: 'A person answered in a scenario',
    description:
      'Sent for the answer to each question of a run. It names a person: only for callbacks whose URL was registered, or ' +
      'last changed, with a key that has individual targeting. In order for each run, with its end. Tests are not reported.',
    schema: RunAnsweredEvent,
    example: {
      type: 'run.answered',
      timestamp: at,
      data: {
        runId: exampleId,
        scenarioId: exampleId,
        version: 3,
        unitId: exampleUnitId,
        subjectId: exampleId,
        uid: 's1024001',
        node: 'join',
        optionId: 'yes',
        data: { v: 1, o: 'yes' },
      },
    },
  },
  'run.ended': {
    summary: 'A run of a scenario ended',
    description: 'Sent once for each run. In order for each run, behind its answers. Tests are not reported.',
    schema: RunEndedEvent,
    example: {
      type: 'run.ended',
      timestamp: at,
      data: {
        runId: exampleId,
        scenarioId: exampleId,
        version: 3,
        unitId: exampleUnitId,
        state: 'cancelled',
        reason: 'left',
      },
    },
  },
  'delivery.failed': {
    summary: 'Deliveries failed',
    description:
      'Sent a minute after the first failure, with those of that minute, and sooner where they are many: a send of which ' +
      'everything fails makes a request for every 500 people or so. It names people: only for callbacks whose URL was ' +
      'registered, or last changed, with a key that has individual targeting.',
    schema: DeliveryFailedEvent,
    example: {
      type: 'delivery.failed',
      timestamp: at,
      data: {
        ...message,
        failures: [{ subjectId: exampleId, uid: 's1024001', channel: 'email', reason: 'bad_address' }],
      },
    },
  },
  'registration.changed': {
    summary: 'A place in a pattern changed',
    description:
      'Sent when a person gets a place, goes on the waiting list, is promoted from it, or gives the place up. It names a ' +
      'person, under the same right. In order for each run.',
    schema: RegistrationChangedEvent,
    example: {
      type: 'registration.changed',
      timestamp: at,
      data: {
        unitId: exampleUnitId,
        runId: exampleId,
        ...person,
        patternId: exampleId,
        state: 'registered',
        position: 12,
      },
    },
  },
  'handoff.opened': {
    summary: 'Somebody waits for an answer',
    description:
      'Sent when a handoff is opened, by a scenario or by the assistant. It contains no personal data.',
    schema: HandoffOpenedEvent,
    example: { type: 'handoff.opened', timestamp: at, data: handoff },
  },
  'handoff.closed': {
    summary: 'A handoff is over',
    description: 'Sent once for each handoff, behind its opening.',
    schema: HandoffClosedEvent,
    example: { type: 'handoff.closed', timestamp: at, data: { ...handoff, reason: 'closed' } },
  },
  'import.closed': {
    summary: 'An import is completed',
    description: 'Sent once for each import of the unit, with its final counts.',
    schema: ImportClosedEvent,
    example: {
      type: 'import.closed',
      timestamp: at,
      data: { unitId: exampleUnitId, importId: exampleId, lines: 800, written: 797, rejected: 3 },
    },
  },
  'address.suppressed': {
    summary: 'An address is suppressed',
    description:
      'Sent to administrative units when mail to an address bounces or is rejected, or its owner complains. It names a person, ' +
      'under the same right as `message.answered`.',
    schema: AddressSuppressedEvent,
    example: {
      type: 'address.suppressed',
      timestamp: at,
      data: { unitId: exampleUnitId, ...person, channel: 'email', reason: 'bounce' },
    },
  },
  'preference.changed': {
    summary: 'A person changed preferences',
    description:
      'Sent to administrative units for each change by a person of what they want to get; to others for their own topics. It ' +
      'names a person, under the same right. In order for each person.',
    schema: PreferenceChangedEvent,
    example: {
      type: 'preference.changed',
      timestamp: at,
      data: { unitId: exampleUnitId, ...person, categories: { clubs: { email: false } }, topics: {} },
    },
  },
  'callback.test': {
    summary: 'A test',
    description:
      'Sent once, when a caller asks for it with POST /v1/callbacks/{id}/test. It cannot be subscribed to.',
    schema: TestEvent,
    example: { type: 'callback.test', timestamp: at, data: { callbackId: exampleId, unitId: exampleUnitId } },
  },
}
