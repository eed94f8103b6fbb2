import { z } from 'zod'
import { Id, Instant, PageQuery, pageOf, Reference } from '../common.ts'
import { QueryAudience, StoredQueryAudience } from '../messages/audience.ts'
import { EventError, EventSource } from './event.ts'

const EventSubjects = z.strictObject({ kind: z.literal('event_subjects') }).meta({ id: 'EventSubjects' })

/** The audience of an event's message: the subjects that the event names, or a query. */
export const EventAudience = z
  .discriminatedUnion('kind', [EventSubjects, QueryAudience])
  .meta({ id: 'EventAudience' })
export type EventAudience = z.infer<typeof EventAudience>

/** The same in responses. */
const StoredEventAudience = z
  .discriminatedUnion('kind', [EventSubjects, StoredQueryAudience])
  .meta({ id: 'StoredEventAudience' })

const keyIds = z.array(Reference).min(1).nullable().meta({
  description:
    'The signing keys this binding accepts; null: all. Events signed with others get the error no_binding.',
})

const fields = {
  source: EventSource,
  type: Reference,
  categoryId: Reference,
  templateId: Reference.nullable()
    .optional()
    .meta({ description: 'Without a template, events are recorded with the error no_template.' }),
  audience: EventAudience,
  scenarioId: Reference.nullable().optional().meta({ description: 'Not available yet.' }),
  keyIds: keyIds.optional(),
  enabled: z
    .boolean()
    .optional()
    .meta({ description: 'Default: true. At most one binding of each (source, type) can be enabled.' }),
}

/** A new binding: how events of (source, type) become messages. */
export const CreateEventBinding = z
  .strictObject({
    unitId: z
      .string()
      .optional()
      .meta({ description: 'Required for sessions of people in several units; ignored for producer keys.' }),
    ...fields,
  })
  .meta({ id: 'CreateEventBinding' })
export type CreateEventBinding = z.infer<typeof CreateEventBinding>

/** Omitted fields are unchanged. */
export const UpdateEventBinding = z.strictObject(fields).partial().meta({ id: 'UpdateEventBinding' })
export type UpdateEventBinding = z.infer<typeof UpdateEventBinding>

/** A stored binding. */
export const EventBinding = z
  .object({
    id: Id,
    unitId: Id,
    source: z.string(),
    type: z.string(),
    categoryId: z.string(),
    templateId: Id.nullable(),
    audience: StoredEventAudience,
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

/** Sessions of people in several units must pass unitId. */
export const EventBindingListQuery = PageQuery.extend({ unitId: z.string().min(1).optional() })
export type EventBindingListQuery = z.infer<typeof EventBindingListQuery>

const count = z.int().min(0)

/** The outcomes of a replay. Workers process the `waiting` ones in the following minutes. */
export const EventReplay = z
  .object({
    events: count,
    messages: count,
    errors: z.partialRecord(EventError, count),
    waiting: count,
  })
  .meta({ id: 'EventReplay' })
export type EventReplay = z.infer<typeof EventReplay>

/** The binding is deleted; its events get the error no_binding from now on. */
export const DeletedEventBinding = z.object({ deleted: z.literal(true) }).meta({ id: 'DeletedEventBinding' })
export type DeletedEventBinding = z.infer<typeof DeletedEventBinding>
