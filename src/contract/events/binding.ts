import { z } from 'zod'
import { Id, Instant, PageQuery, pageOf, Reference } from '../common.ts'
import { QueryAudience } from '../messages/audience.ts'
import { EventError, EventSource } from './event.ts'

/** The recipients of an event's message: the subjects that the event names, or a query. */
export const EventAudience = z
  .discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('event_subjects') }).meta({ id: 'EventSubjects' }),
    QueryAudience,
  ])
  .meta({ id: 'EventAudience' })
export type EventAudience = z.infer<typeof EventAudience>

const keyIds = z
  .array(Reference)
  .min(1)
  .nullable()
  .meta({ description: 'Signing keys that may raise it; null: all. Others are answered no_binding.' })

const fields = {
  source: EventSource,
  type: Reference,
  categoryId: Reference,
  templateId: Reference.nullable()
    .optional()
    .meta({ description: 'Without one, events are recorded and answered no_template.' }),
  audience: EventAudience,
  scenarioId: Reference.nullable().optional().meta({ description: 'Not available yet.' }),
  keyIds: keyIds.optional(),
  enabled: z
    .boolean()
    .optional()
    .meta({ description: 'Unless said: true. One in force for each (source, type).' }),
}

/** What an event of (source, type) leads to. */
export const CreateEventBinding = z
  .strictObject({
    unitId: z
      .string()
      .optional()
      .meta({ description: 'Sessions with several units. Ignored for producer keys.' }),
    ...fields,
  })
  .meta({ id: 'CreateEventBinding' })
export type CreateEventBinding = z.infer<typeof CreateEventBinding>

/** The fields to change; the others stay. */
export const UpdateEventBinding = z.strictObject(fields).partial().meta({ id: 'UpdateEventBinding' })
export type UpdateEventBinding = z.infer<typeof UpdateEventBinding>

/** A binding as it stands. */
export const EventBinding = z
  .object({
    id: Id,
    unitId: Id,
    source: z.string(),
    type: z.string(),
    categoryId: z.string(),
    templateId: Id.nullable(),
    audience: EventAudience,
    keyIds,
    enabled: z.boolean(),
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({ id: 'EventBinding' })
export type EventBinding = z.infer<typeof EventBinding>

/** One page of a unit's bindings, newest first. */
export const EventBindingPage = pageOf(EventBinding).meta({ id: 'EventBindingPage' })
export type EventBindingPage = z.infer<typeof EventBindingPage>

/** A session with several units says which. */
export const EventBindingListQuery = PageQuery.extend({ unitId: z.string().min(1).optional() })
export type EventBindingListQuery = z.infer<typeof EventBindingListQuery>

const count = z.int().min(0)

/** What became of events that were tried again; `waiting` are tried by the workers in the minutes that follow. */
export const EventReplay = z
  .object({
    events: count,
    messages: count,
    errors: z.partialRecord(EventError, count),
    waiting: count,
  })
  .meta({ id: 'EventReplay' })
export type EventReplay = z.infer<typeof EventReplay>

/** Its events are answered no_binding from now on. */
export const DeletedEventBinding = z.object({ deleted: z.literal(true) }).meta({ id: 'DeletedEventBinding' })
export type DeletedEventBinding = z.infer<typeof DeletedEventBinding>
