import { z } from 'zod'
import { Id, Instant, PageQuery, pageOf, Reference } from '../common.ts'
import { EventError, EventErrorDetails } from './event.ts'

/**
 * A recorded event with its outcome: a message or an error; with neither, it is being processed. Never its data or the
 * uids that it names.
 */
export const RecordedEvent = z
  .object({
    id: Id,
    source: z.string(),
    eventId: z.string(),
    type: z.string(),
    occurredAt: Instant,
    receivedAt: Instant.meta({ description: 'When it was last sent with a new signature and recorded.' }),
    keyId: z.string().meta({ description: 'The signing key.' }),
    subjects: z
      .int()
      .min(0)
      .meta({ description: 'How many uids it names, known or not; 0 once its data is deleted.' }),
    messageId: Id.nullable(),
    error: EventError.nullable(),
    details: EventErrorDetails.nullable(),
  })
  .meta({ id: 'RecordedEvent' })
export type RecordedEvent = z.infer<typeof RecordedEvent>

/** One page of a unit's recorded events; the event recorded first is the last. */
export const RecordedEventPage = pageOf(RecordedEvent).meta({ id: 'RecordedEventPage' })
export type RecordedEventPage = z.infer<typeof RecordedEventPage>

/** Sessions of people in several units must pass unitId. */
export const RecordedEventListQuery = PageQuery.extend({
  unitId: z.string().min(1).optional(),
  source: Reference.optional(),
  type: Reference.optional(),
  error: EventError.optional(),
})
export type RecordedEventListQuery = z.infer<typeof RecordedEventListQuery>
