import { z } from 'zod'
import { Id, Instant, PageQuery, pageOf, Reference } from '../common.ts'
import { Violation } from '../messages/dry-run.ts'
import { EventError, EventErrorDetails } from './event.ts'

export const RecordedEvent = z
  .object({
    id: Id.describe("Carillon's id of the recorded event, for these paths."),
    source: z.string().describe('The system that it came from.'),
    eventId: z
      .string()
      .nullable()
      .describe('The id that the source gave it; null: it has none that can be read.'),
    type: z.string().nullable().describe('What happened; null: it has no type that can be read.'),
    occurredAt: Instant.nullable().describe(
      'When it happened, as its source says, in UTC; null: it has no time that can be read.',
    ),
    receivedAt: Instant.describe('When it was last sent with a new signature and recorded, in UTC.'),
    keyId: z.string().describe('The id of the signing key.'),
    subjectCount: z
      .int()
      .min(0)
      .describe('How many uids it names, known or not; 0 once its data is deleted.'),
    unusedVariables: z
      .array(z.string())
      .describe(
        'The first names in its data that are no variable of the template or scenario of its binding, as it is now: perhaps ' +
          'misspelt. [] also once its data is deleted.',
      ),
    warnings: z
      .array(Violation)
      .describe(
        'What to know of the message that it created: `host_from_values`, a value brings the address of a host; ' +
          '`invisible_dropped`, a value had invisible characters; and the others of a dry-run.',
      ),
    messageId: Id.nullable().describe('The message that it created; null: none, or not yet.'),
    runs: z
      .int()
      .min(0)
      .nullable()
      .describe('How many runs of a scenario it started; null: its binding starts none, or not yet.'),
    error: EventError.nullable().describe(
      'Why it made nothing. null with messageId and runs null: it is being processed.',
    ),
    details: EventErrorDetails.nullable().describe(
      'What to mend, of missing_variable, content_violation and invalid_event; else null.',
    ),
  })
  .meta({
    id: 'RecordedEvent',
    description: 'A recorded event with its outcome. Never its data or the uids that it names.',
  })
export type RecordedEvent = z.infer<typeof RecordedEvent>

export const RecordedEventPage = pageOf(RecordedEvent).meta({
  id: 'RecordedEventPage',
  description: "One page of a unit's recorded events; the event recorded first is the last.",
})
export type RecordedEventPage = z.infer<typeof RecordedEventPage>

/** Sessions of people in several units must pass unitId. */
export const RecordedEventListQuery = PageQuery.extend({
  unitId: z
    .string()
    .min(1)
    .optional()
    .describe(
      'The id of the unit. Required for sessions of people in several units; not used for producer keys.',
    ),
  source: Reference.optional().describe('Only events of this source.'),
  type: Reference.optional().describe('Only events of this type.'),
  error: EventError.optional().describe('Only events that made nothing, for this reason.'),
  eventId: Reference.optional().describe('Only the event to which its source gave this id.'),
  messageId: Id.optional().describe('Only the event that created this message.'),
})
export type RecordedEventListQuery = z.infer<typeof RecordedEventListQuery>
