import { z } from 'zod'
import { DateTime, Id, Reference } from '../common.ts'
import { eventErrors } from '../enums.ts'
import { limits } from '../limits.ts'

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

/** What happened, and the subjects concerned. The source chooses `eventId`, which must be unique within it. */
export const SystemEvent = z
  .strictObject({
    eventId: Reference,
    type: Reference,
    occurredAt: DateTime,
    subjectUids: z
      .array(Reference)
      .meta({ description: `At most ${limits.subjectsPerEvent}; unknown uids are ignored.` }),
    data: z.record(z.string(), z.unknown()).meta({ description: 'The template variables.' }),
  })
  .meta({ id: 'SystemEvent' })
export type SystemEvent = z.infer<typeof SystemEvent>

/** Several events of one source, signed together. */
export const EventBatch = z
  .strictObject({
    events: z
      .array(SystemEvent)
      .min(1)
      .meta({
        description:
          `At most ${limits.eventsPerBatch}, with at most ${limits.subjectsPerBatch.toLocaleString('en')} subjectUids ` +
          'together.',
      }),
  })
  .meta({ id: 'EventBatch' })
export type EventBatch = z.infer<typeof EventBatch>

/** Why an accepted event created no message. Sign and send it again, or replay it (docs/api/events.md). */
export const EventError = z.enum(eventErrors).meta({ id: 'EventError' })

const received = {
  eventId: z.string(),
  duplicate: z.boolean().meta({ description: 'false only for the request that produced the outcome.' }),
}

/** The outcome of an event, the same for every repeat: the message it created, or why it created none. */
export const EventAnswer = z
  .union([
    z.object({ accepted: z.literal(true), ...received, messageId: Id }),
    z.object({ error: EventError, ...received }),
  ])
  .meta({ id: 'EventAnswer' })
export type EventAnswer = z.infer<typeof EventAnswer>

/** One outcome per event, in order. */
export const EventAnswers = z.object({ items: z.array(EventAnswer) }).meta({ id: 'EventAnswers' })
export type EventAnswers = z.infer<typeof EventAnswers>
