import { z } from 'zod'
import {
  Actor,
  distinct,
  Id,
  Instant,
  isChange,
  mustChange,
  PageQuery,
  pageOf,
  Reference,
  UnitId,
} from '../common.ts'
import { bindingStates } from '../enums.ts'
import { limits } from '../limits.ts'
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

const aboutKeyIds = {
  description:
    'The signing keys this binding accepts; null: all. Events signed with others get the error no_binding.',
}
const keyIds = z
  .array(Reference)
  .min(1)
  .max(limits.signingKeysPerBinding)
  .overwrite(distinct)
  .nullable()
  .meta(aboutKeyIds)

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
    unitId: UnitId,
    ...fields,
  })
  .meta({ id: 'CreateEventBinding' })
export type CreateEventBinding = z.infer<typeof CreateEventBinding>

/**
 * Omitted fields are unchanged: those of the version that waits for approval, if there is one, otherwise of the one in
 * force.
 */
export const UpdateEventBinding = z
  .strictObject(fields)
  .partial()
  .refine(isChange, mustChange)
  .meta({ id: 'UpdateEventBinding' })
export type UpdateEventBinding = z.infer<typeof UpdateEventBinding>

const rule = {
  source: z.string(),
  type: z.string(),
  categoryId: z.string(),
  templateId: Id.nullable(),
  audience: StoredEventAudience,
  keyIds: z.array(z.string()).nullable().meta(aboutKeyIds),
  enabled: z.boolean(),
}

/** One version of a binding, with the decision about it: null if nobody has decided, or nobody had to. */
export const EventBindingVersion = z
  .object({
    version: z.int().min(1),
    state: z.enum(bindingStates).meta({
      description: 'submitted: waits for an approver. replaced: a newer version has taken its place.',
    }),
    ...rule,
    author: Actor,
    createdAt: Instant,
    decision: z.object({ by: Actor, at: Instant, reason: z.string().optional() }).nullable(),
  })
  .meta({ id: 'EventBindingVersion' })
export type EventBindingVersion = z.infer<typeof EventBindingVersion>

/** A binding with the fields of the version in force; while none is in force, of the newest. */
export const EventBinding = z
  .object({
    id: Id,
    unitId: Id,
    ...rule,
    inForce: z.int().min(1).nullable().meta({
      description:
        'The version that events use; null while none has been approved. Then events get no_binding.',
    }),
    newest: EventBindingVersion.meta({
      description: 'The version written last: in force, waiting for an approver, or rejected.',
    }),
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({ id: 'EventBinding' })
export type EventBinding = z.infer<typeof EventBinding>

/** With `version`: 409 invalid_transition if it is not the one that waits. */
export const ApproveEventBinding = z
  .strictObject({ version: z.int().min(1).optional() })
  .meta({ id: 'ApproveEventBinding' })
export type ApproveEventBinding = z.infer<typeof ApproveEventBinding>

/** The reason is shown with the version. */
export const RejectEventBinding = z
  .strictObject({ reason: z.string().trim().min(1).max(1_000), version: z.int().min(1).optional() })
  .meta({ id: 'RejectEventBinding' })
export type RejectEventBinding = z.infer<typeof RejectEventBinding>

/** One page of a unit's bindings, newest first. */
export const EventBindingPage = pageOf(EventBinding).meta({ id: 'EventBindingPage' })
export type EventBindingPage = z.infer<typeof EventBindingPage>

/** Sessions of people in several units must pass unitId. */
export const EventBindingListQuery = PageQuery.extend({ unitId: UnitId })
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
