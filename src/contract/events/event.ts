import { z } from 'zod'
import { DateTime, Id, Reference } from '../common.ts'
import { eventErrors } from '../enums.ts'
import { limits } from '../limits.ts'
import { Violation } from '../messages/dry-run.ts'

/** The system that an event comes from, as in the path. */
export const EventSource = z
  .string()
  .regex(/^[^\p{C}\s/]{1,100}$/u, 'must be at most 100 characters without spaces or slashes')
  .meta({ examples: ['student-information'] })

/** The path parameters of event intake. */
export const EventParams = z.object({ source: EventSource })

/** The signature (docs/api/events.md). It is verified before the body is read. */
export const SignatureHeaders = z.object({
  'x-service-key-id': z.string(),
  'x-service-timestamp': z
    .string()
    .meta({ description: 'Unix seconds; at most 300 seconds from the current time.' }),
  'x-service-signature': z.string().meta({
    description: '`v1=` followed by the hex HMAC-SHA256 of `timestamp.rawBody` under the secret of the key.',
  }),
})

/** When it happened. A time without an offset is in UTC. */
const OccurredAt = z
  .string()
  .transform((text) => (/^[\d-]+[Tt][\d:.]+$/.test(text) ? `${text}Z` : text))
  .pipe(DateTime)
  .meta({
    description: 'ISO 8601. Without an offset it is in UTC.',
    examples: ['2026-12-01T09:00:00+08:00', '2026-12-01T01:00:00'],
  })

/** Stands for a malformed uid in a recorded event. Contains a space, so it is the uid of no subject. */
export const malformedUid = 'malformed uid'

/** What a uid may be in a recorded event: a reference that Postgres can store. */
const wellFormed = /^[^\0\p{Cs}]{1,200}$/u
const EventUid = z.string().transform((text) => (wellFormed.test(text) ? text : malformedUid))

/** The body of a Lookup has it, with a signature of the same scheme; it must not pass for an event. */
const noSubject = z
  .never('must be absent: a body with `subject` is that of a Lookup')
  .optional()
  .meta({ description: 'Must be absent: the body of a Lookup has it.' })

/**
 * What happened, and the subjects concerned. The source chooses `eventId`, which must be unique within it. Further
 * fields are ignored (docs/decisions/0047-events-and-answers.md).
 */
export const SystemEvent = z
  .object({
    eventId: Reference,
    type: Reference,
    occurredAt: OccurredAt,
    subjectUids: z.array(EventUid).meta({
      description: `At most ${limits.subjectsPerEvent}; unknown and malformed uids are ignored.`,
    }),
    data: z.record(z.string(), z.unknown()).meta({ description: 'The template variables.' }),
    subject: noSubject,
  })
  .meta({ id: 'SystemEvent' })
export type SystemEvent = z.infer<typeof SystemEvent>

/** Several events of one source, signed together. Further fields are ignored. */
export const EventBatch = z
  .object({
    events: z
      .array(SystemEvent)
      .min(1)
      .meta({
        description:
          `At most ${limits.eventsPerBatch}, with at most ${limits.subjectsPerBatch.toLocaleString('en')} subjectUids ` +
          'together.',
      }),
    subject: noSubject,
  })
  .meta({ id: 'EventBatch' })
export type EventBatch = z.infer<typeof EventBatch>

/** Why an accepted event created no message. Sign and send it again, or replay it (docs/api/events.md). */
export const EventError = z.enum(eventErrors).meta({ id: 'EventError' })

/** What to mend so that an event can create a message: missing_variable and content_violation say it. */
export const EventErrorDetails = z
  .union([
    z.object({
      variables: z
        .array(z.string())
        .meta({ description: 'The required variables of the template that are not in `data`.' }),
    }),
    z.object({
      violations: z.array(Violation).meta({
        description: 'What no channel can carry once the variables are filled in; `path` is in the template.',
      }),
    }),
  ])
  .meta({ id: 'EventErrorDetails' })
export type EventErrorDetails = z.infer<typeof EventErrorDetails>

const received = {
  eventId: z.string(),
  duplicate: z.boolean().meta({ description: 'false only for the request that produced the outcome.' }),
}

/** The outcome of an event, the same for every repeat: the message it created, or why it created none. */
export const EventAnswer = z
  .union([
    z.object({ accepted: z.literal(true), ...received, messageId: Id }),
    z.object({ error: EventError, details: EventErrorDetails.optional(), ...received }),
  ])
  .meta({ id: 'EventAnswer' })
export type EventAnswer = z.infer<typeof EventAnswer>

/** One outcome per event, in order. */
export const EventAnswers = z.object({ items: z.array(EventAnswer) }).meta({ id: 'EventAnswers' })
export type EventAnswers = z.infer<typeof EventAnswers>
