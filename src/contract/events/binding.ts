import { z } from 'zod'
import { Decisions } from '../approvals.ts'
import {
  Actor,
  Decision,
  distinct,
  Id,
  Instant,
  isChange,
  mustChange,
  omittable,
  PageQuery,
  pageOf,
  Reference,
  UnitId,
} from '../common.ts'
import { bindingStates, runsPer } from '../enums.ts'
import { limits } from '../limits.ts'
import { QueryAudience, StoredQueryAudience } from '../messages/audience.ts'
import { EventError, EventSource } from './event.ts'

const EventSubjects = z
  .strictObject({ kind: z.literal('event_subjects').describe('Selects the subjects of the event.') })
  .meta({ id: 'EventSubjects', description: 'The subjects that the event names. Its message is personal.' })

export const EventAudience = z.discriminatedUnion('kind', [EventSubjects, QueryAudience]).meta({
  id: 'EventAudience',
  description: 'Whom an event is for: the subjects that it names, or a query.',
})
export type EventAudience = z.infer<typeof EventAudience>

const StoredEventAudience = z.discriminatedUnion('kind', [EventSubjects, StoredQueryAudience]).meta({
  id: 'StoredEventAudience',
  description: 'Whom the message of an event is for: the subjects that the event names, or a query.',
})

const aboutKeyIds =
  'The ids of the only signing keys that this binding accepts; null: all. Events signed with others get the error ' +
  'no_binding.'
const keyIds = z
  .array(Reference)
  .min(1)
  .max(limits.signingKeysPerBinding)
  .overwrite(distinct)
  .nullable()
  .describe(aboutKeyIds)

const fields = {
  source: EventSource.describe(
    'The system whose events it applies to: 1 to 100 characters without spaces, slashes or control characters.',
  ),
  type: Reference.describe('The type of event it applies to: 1 to 200 characters.'),
  categoryId: Reference.describe('The id of the category of the messages, from GET /v1/categories.'),
  templateId: Reference.nullable().describe(
    'The id of a template of the unit. null: none; without a scenarioId either, events are recorded with the error ' +
      'no_template.',
  ),
  audience: EventAudience.describe(
    'The recipients of the messages or runs. With a scenarioId: event_subjects.',
  ),
  scenarioId: Reference.nullable().describe(
    'The id of a scenario of the unit, in place of a template: events start runs of it. It must not be retired, and ' +
      'its category is the categoryId. null: events create messages.',
  ),
  runPer: z
    .enum(runsPer)
    .nullable()
    .describe(
      '`subject`: a person with an open run of the scenario keeps it, and gets no other. `event`: each event starts a ' +
        'run of its own. Only with a scenarioId; null: `subject`.',
    ),
  keyIds,
  enabled: z
    .boolean()
    .describe(
      'Whether events create messages or start runs. At most one binding of each (source, type) can be enabled in the ' +
        'whole installation.',
    ),
}

export const CreateEventBinding = z
  .strictObject({
    unitId: UnitId,
    ...fields,
    templateId: omittable(fields.templateId, 'Default: null.'),
    scenarioId: omittable(fields.scenarioId, 'Default: null.'),
    runPer: omittable(fields.runPer, 'Default: null.'),
    keyIds: omittable(fields.keyIds, 'Default: null.'),
    enabled: omittable(fields.enabled, 'Default: true.'),
  })
  .meta({
    id: 'CreateEventBinding',
    description:
      'How events of one source and type become messages of the unit, or start runs of its scenario.',
  })
export type CreateEventBinding = z.infer<typeof CreateEventBinding>

export const UpdateEventBinding = z
  .strictObject(fields)
  .partial()
  .refine(isChange, mustChange)
  .meta({
    id: 'UpdateEventBinding',
    minProperties: 1,
    description:
      'Changes to a binding, at least one. Omitted fields are those of the version that waits for approval, if there is ' +
      'one, otherwise of the one in force.',
  })
export type UpdateEventBinding = z.infer<typeof UpdateEventBinding>

const rule = {
  source: z.string().describe('The system whose events it applies to.'),
  type: z.string().describe('The type of event it applies to.'),
  categoryId: z.string().describe('The id of the category of the messages.'),
  templateId: Id.nullable().describe(
    'The id of the template; null: none, and without a scenario events get the error no_template.',
  ),
  scenarioId: Id.nullable().describe('The id of the scenario whose runs events start; null: none.'),
  runPer: z
    .enum(runsPer)
    .nullable()
    .describe(
      'Whether a person has at most one open run of the scenario, or one for each event; null without a scenario.',
    ),
  audience: StoredEventAudience.describe('The recipients of the messages or runs.'),
  keyIds: z.array(z.string()).nullable().describe(aboutKeyIds),
  enabled: z.boolean().describe('Whether events create messages or start runs.'),
}

export const EventBindingVersion = z
  .object({
    version: z.int().min(1).describe('The number of the version, counted from 1.'),
    state: z
      .enum(bindingStates)
      .describe('`submitted`: waits for an approver. `replaced`: a newer version has taken its place.'),
    ...rule,
    author: Actor.describe('Who wrote it.'),
    createdAt: Instant.describe('When it was written, in UTC.'),
    decision: Decision.nullable().describe('The decision about it; null: none yet, or none was needed.'),
  })
  .meta({ id: 'EventBindingVersion', description: 'One version of a binding.' })
export type EventBindingVersion = z.infer<typeof EventBindingVersion>

export const EventBinding = z
  .object({
    id: Id.describe('The id of the binding.'),
    unitId: Id.describe('The unit that sends the messages, or whose scenario is started.'),
    ...rule,
    inForce: z
      .int()
      .min(1)
      .nullable()
      .describe(
        'The version that events use; null while none has been approved. Then events get no_binding.',
      ),
    newest: EventBindingVersion.describe(
      'The version written last: in force, waiting for an approver, or rejected.',
    ),
    createdAt: Instant.describe('When the binding was created, in UTC.'),
    updatedAt: Instant.describe('When it was last changed or decided about, in UTC.'),
  })
  .meta({
    id: 'EventBinding',
    description: 'A binding with the fields of the version in force; while none is in force, of the newest.',
  })
export type EventBinding = z.infer<typeof EventBinding>

export const EventBindingDetail = EventBinding.extend({
  allowed: Decisions.describe('What the caller may decide about the newest version now.'),
}).meta({
  id: 'EventBindingDetail',
  description:
    'A binding with the fields of the version in force, and what the caller may decide about the newest.',
})
export type EventBindingDetail = z.infer<typeof EventBindingDetail>

const shownVersion = z
  .int()
  .min(1)
  .optional()
  .describe(
    'The version that was shown: 409 invalid_transition if it is not the one that waits. Omitted: the one that waits.',
  )

export const ApproveEventBinding = z
  .strictObject({ version: shownVersion })
  .meta({ id: 'ApproveEventBinding', description: 'The version that was shown to the approver.' })
export type ApproveEventBinding = z.infer<typeof ApproveEventBinding>

export const RejectEventBinding = z
  .strictObject({
    reason: z
      .string()
      .trim()
      .min(1)
      .max(1_000)
      .describe('Why, shown with the version: 1 to 1,000 characters.'),
    version: shownVersion,
  })
  .meta({ id: 'RejectEventBinding', description: 'Why the version is rejected.' })
export type RejectEventBinding = z.infer<typeof RejectEventBinding>

export const EventBindingPage = pageOf(EventBinding).meta({
  id: 'EventBindingPage',
  description: "One page of a unit's bindings, newest first.",
})
export type EventBindingPage = z.infer<typeof EventBindingPage>

/** Sessions of people in several units must pass unitId. */
export const EventBindingListQuery = PageQuery.extend({ unitId: UnitId })
export type EventBindingListQuery = z.infer<typeof EventBindingListQuery>

const count = z.int().min(0)

export const EventReplay = z
  .object({
    events: count.describe('Events that had created no message and started no runs.'),
    messages: count.describe('How many of them have created a message now.'),
    runs: count.describe('How many runs they have started now.'),
    errors: z.partialRecord(EventError, count).describe('How many have made nothing, by reason.'),
    waiting: count.describe('How many workers will process in the following minutes.'),
  })
  .meta({ id: 'EventReplay', description: 'The outcomes of a replay, in numbers of events.' })
export type EventReplay = z.infer<typeof EventReplay>

export const DeletedEventBinding = z.object({ deleted: z.literal(true).describe('Always true.') }).meta({
  id: 'DeletedEventBinding',
  description: 'The binding is deleted. Its events get the error no_binding from now on.',
})
export type DeletedEventBinding = z.infer<typeof DeletedEventBinding>
