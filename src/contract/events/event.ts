import { z } from 'zod'
import { DateTime, Id, Reference } from '../common.ts'
import { eventErrors } from '../enums.ts'
import { limits } from '../limits.ts'

/** The system that an event comes from, as it stands in the path. */
export const EventSource = z
  .string()
  .regex(/^[^\p{C}\s/]{1,100}$/u, 'at most 100 characters, no spaces or slashes')
  .meta({ examples: ['student-information'] })

/** The system that the events come from. */
export const EventParams = z.object({ source: EventSource })

/** The signature (docs/api/events.md); it is checked before anything else is read. */
export const SignatureHeaders = z.object({
  'x-service-key-id': z.string(),
  'x-service-timestamp': z.string().meta({ description: 'Unix seconds, at most 300 away from now.' }),
  'x-service-signature': z.string().meta({
    description: '`v1=` and the hex HMAC-SHA256 of `timestamp.rawBody` under the secret of the key.',
  }),
})

/** What happened, and the subjects it is about. `eventId` is chosen by the source and unique there. */
export const SystemEvent = z
  .strictObject({
    eventId: Reference,
    type: Reference,
    occurredAt: DateTime,
    subjectUids: z
      .array(Reference)
      .meta({ description: `At most ${limits.subjectsPerEvent}; unknown ones are dropped.` }),
    data: z.record(z.string(), z.unknown()).meta({ description: 'The variables of the template.' }),
  })
  .meta({ id: 'SystemEvent' })
export type SystemEvent = z.infer<typeof SystemEvent>

/** Several events of one source, signed together. */
export const EventBatch = z
  .strictObject({
    events: z
      .array(SystemEvent)
      .min(1)
      .meta({ description: `At most ${limits.eventsPerBatch}.` }),
  })
  .meta({ id: 'EventBatch' })
export type EventBatch = z.infer<typeof EventBatch>

/** Why an accepted event made no message; it may be sent again, newly signed, or replayed (docs/api/events.md). */
export const EventError = z.enum(eventErrors).meta({ id: 'EventError' })

const taken = {
  eventId: z.string(),
  duplicate: z.boolean().meta({ description: 'false only for the request that made the outcome' }),
}

/** What became of an event, the same however often it is asked for: the message it made, or why it made none. */
export const EventAnswer = z
  .union([
    z.object({ accepted: z.literal(true), ...taken, messageId: Id }),
    z.object({ error: EventError, ...taken }),
  ])
  .meta({ id: 'EventAnswer' })
export type EventAnswer = z.infer<typeof EventAnswer>

/** One answer for each event, in their order. */
export const EventAnswers = z.object({ items: z.array(EventAnswer) }).meta({ id: 'EventAnswers' })
export type EventAnswers = z.infer<typeof EventAnswers>
