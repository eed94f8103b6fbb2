import { z } from 'zod'
import { orBroken } from '../broken-rule.ts'
import { DateTime, Id, Reference } from '../common.ts'
import { eventErrors } from '../enums.ts'
import { Issue } from '../error-details.ts'
import { limits } from '../limits.ts'
import { Violation } from '../messages/dry-run.ts'

/** The system that an event comes from, as in the path. */
export const EventSource = z
  .string()
  .refine((text) => /^[^\p{C}\s/]{1,100}$/u.test(text), orBroken('wrong_format', { format: 'event_source' }))
  .meta({
    description:
      'The name of the system that events come from: 1 to 100 characters without spaces, slashes or control characters.',
    pattern: '^[^\\s/]{1,100}$',
    examples: ['student-information'],
  })

/** The path parameters of event intake. */
export const EventParams = z.object({ source: EventSource })

/** The signature (docs/api/events.md). It is verified before the body is read. */
export const SignatureHeaders = z.object({
  'x-service-key-id': z.string().describe('The id of the signing key, which operators configure.'),
  'x-service-timestamp': z
    .string()
    .describe(
      `When the request was signed, in whole Unix seconds; at most ${limits.timestampToleranceSeconds} seconds from the ` +
        'current time.',
    ),
  'x-service-signature': z
    .string()
    .describe('`v1=` followed by the hex HMAC-SHA256 of `timestamp.rawBody` under the secret of the key.'),
})

/** When it happened. A time without an offset is in UTC. Postgres would round what is finer than it stores, perhaps up. */
export const OccurredAt = z
  .string()
  .transform((text) => (/^[\d-]+[Tt][\d:.]+$/.test(text) ? `${text}Z` : text))
  .pipe(DateTime)
  .overwrite((text) => text.replace(/(\.\d{3})\d+/, '$1'))
  .meta({
    description: 'When it happened: ISO 8601, to the millisecond. Without an offset it is in UTC.',
    examples: ['2026-12-01T09:00:00+08:00', '2026-12-01T01:00:00'],
  })

/** Stands for a malformed uid in a recorded event. Contains a space, so it is the uid of no subject. */
const malformedUid = 'malformed uid'

/** What a uid may be in a recorded event: a reference that Postgres can store. */
const wellFormed = /^[^\0\p{Cs}]{1,200}$/u
const EventUid = z.string().transform((text) => (wellFormed.test(text) ? text : malformedUid))

/** The body of a Lookup has it, with a signature of the same scheme; it must not pass for an event. */
const noSubject = z
  .never(orBroken('unexpected', { reason: 'lookup' }))
  .optional()
  .describe('Must be absent: it distinguishes the body of a Lookup, which is signed in the same way.')

/**
 * What happened, and the subjects concerned. The source chooses `eventId`, which must be unique within it. Further
 * fields are ignored (docs/design/events.md).
 */
export const SystemEvent = z
  .object({
    eventId: Reference.describe(
      'The id of the event, chosen by the source and unique within it: 1 to 200 characters. A repeat creates no second ' +
        'message, and starts no run again.',
    ),
    type: Reference.describe(
      'What happened, such as `admission.granted`: 1 to 200 characters. Selects the binding.',
    ),
    occurredAt: OccurredAt,
    subjectUids: z
      .array(EventUid)
      .describe(
        `The uids of the subjects concerned, at most ${limits.subjectsPerEvent.toLocaleString('en')}; unknown and ` +
          'malformed ones are ignored.',
      ),
    data: z
      .record(z.string(), z.unknown())
      .describe(
        'Values of the variables of the template or scenario, by name. Names that a scenario does not take are ignored.',
      ),
    subject: noSubject,
  })
  .meta({
    id: 'SystemEvent',
    description: 'What happened, and whom it concerns. Further fields are ignored.',
  })
export type SystemEvent = z.infer<typeof SystemEvent>

/** A batch whose events are not read yet: each is judged by itself. */
export const BatchOfAny = z.object({ events: z.array(z.unknown()).min(1), subject: noSubject })

export const EventBatch = BatchOfAny.extend({
  events: z
    .array(SystemEvent)
    .min(1)
    .describe(
      `The events, 1 to ${limits.eventsPerBatch}, with at most ${limits.subjectsPerBatch.toLocaleString('en')} ` +
        'subjectUids together, repetitions included.',
    ),
}).meta({
  id: 'EventBatch',
  description: 'Several events of one source, signed together. Further fields are ignored.',
})
export type EventBatch = z.infer<typeof EventBatch>

/**
 * Why an accepted event created no message and started no runs. Sign and send it again, or replay it
 * (docs/api/events.md).
 */
export const EventError = z.enum(eventErrors).meta({
  id: 'EventError',
  description:
    'Why an event created no message and started no runs. `no_subjects`: no uid is known, and the binding has no query. ' +
    '`no_binding`: none of this source and type is in force and enabled for the signing key, or its category is ' +
    'disabled. `no_template`: the binding has neither template nor scenario. `no_scenario`: its scenario is not active, ' +
    'is now of another category, or that is disabled. `missing_variable`, `content_violation`: see details; or the ' +
    `variables of a scenario are more than ${limits.runVariablesBytes / 1_024} KiB. \`too_many_runs\`: the unit would ` +
    `have more than ${limits.openRunsPerUnit.toLocaleString('en')} open runs. \`too_many_people\`: no person has ` +
    'approved the version of the scenario in force, and others would start it for more people in 24 hours than its ' +
    'category allows (autoMaxRecipients). `invalid_event`: it does not match its schema, see details. ' +
    '`internal`: logged by Carillon. Sign and send it again, or replay it.',
})

export const EventErrorDetails = z
  .union([
    z
      .object({
        variables: z
          .array(z.string())
          .describe('The required variables of the template or scenario that are not in `data`.'),
      })
      .meta({ id: 'MissingVariables', description: 'What a missing_variable lacks.' }),
    z
      .object({
        violations: z
          .array(Violation)
          .describe(
            'What no channel can carry once the variables are filled in, with a `path` into the template; or `data`, which ' +
              'is too large for the variables of the scenario.',
          ),
      })
      .meta({ id: 'ContentViolations', description: 'What is wrong at a content_violation.' }),
    z
      .object({ issues: z.array(Issue).describe('What is wrong with the event; at most 50.') })
      .meta({ id: 'InvalidEvent', description: 'What is wrong with an invalid_event.' }),
  ])
  .meta({
    id: 'EventErrorDetails',
    description:
      'What to mend so that the event can create a message: `variables` of missing_variable, `violations` of ' +
      'content_violation, or `issues` of invalid_event.',
  })
export type EventErrorDetails = z.infer<typeof EventErrorDetails>

const received = {
  eventId: z.string().describe('The id of the event, as it was sent.'),
  duplicate: z.boolean().describe('Whether the outcome is that of an earlier request.'),
  differs: z
    .literal(true)
    .optional()
    .describe(
      '`true` if this event differs from the one recorded under its id: the recorded outcome is returned, and nothing of this ' +
        'one was kept. Send a correction under an id of its own. Omitted if it does not differ.',
    ),
  unknownUids: z
    .int()
    .min(0)
    .describe('How many of its uids belong to no subject; 0 also once its data is deleted.'),
}

export const EventAnswer = z
  .union([
    z
      .object({
        accepted: z.literal(true).describe('The event created a message or started runs.'),
        ...received,
        messageId: Id.nullable().describe(
          'The message. Its detail shows whether it was approved. null: the event started runs.',
        ),
        runs: z
          .int()
          .min(0)
          .optional()
          .describe(
            'How many runs it started: one for each eligible subject who, unless runs are per event, has ' +
              'no open one. Omitted with a message.',
          ),
      })
      .meta({
        id: 'AcceptedEvent',
        description: 'A message was created and submitted, or runs of a scenario were started.',
      }),
    z
      .object({
        error: EventError.describe('Why no message was created and no run started.'),
        message: z.string().describe('The same in words, with what to do next.'),
        details: EventErrorDetails.optional().describe(
          'What to mend, of missing_variable, content_violation and invalid_event. Omitted for other errors.',
        ),
        ...received,
        eventId: received.eventId
          .nullable()
          .describe('The id of the event, as it was sent; null: it has none that can be read.'),
      })
      .meta({
        id: 'RecordedError',
        description: 'The event is recorded, created no message and started no run.',
      }),
  ])
  .meta({
    id: 'EventAnswer',
    description:
      'The outcome of an event, the same for every repeat: `accepted` with the message that it created or with the ' +
      'number of runs that it started, or `error`, why there are none. Which of the two is there tells the forms apart.',
  })
export type EventAnswer = z.infer<typeof EventAnswer>

export const EventAnswers = z
  .object({
    items: z.array(EventAnswer).describe('One outcome for each event, in the order of the request.'),
  })
  .meta({ id: 'EventAnswers', description: 'The outcomes of a batch.' })
export type EventAnswers = z.infer<typeof EventAnswers>
