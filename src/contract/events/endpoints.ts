import { IdParams } from '../common.ts'
import type { Endpoint } from '../endpoint.ts'
import { limits } from '../limits.ts'
import {
  ApproveEventBinding,
  CreateEventBinding,
  DeletedEventBinding,
  EventBindingDetail,
  EventBindingListQuery,
  EventBindingPage,
  EventReplay,
  RejectEventBinding,
  UpdateEventBinding,
} from './binding.ts'
import { EventAnswer, EventAnswers, EventBatch, EventParams, SignatureHeaders, SystemEvent } from './event.ts'
import {
  exampleBinding,
  exampleBindingDetail,
  exampleCreateBinding,
  exampleEvent,
  exampleEventAnswer,
  exampleRecordedEvent,
  exampleReplay,
  exampleSubmittedBinding,
} from './examples.ts'
import { RecordedEvent, RecordedEventListQuery, RecordedEventPage } from './recorded.ts'

const signed = {
  method: 'POST',
  tag: 'Events',
  auth: ['event'],
  unit: 'none',
  params: EventParams,
  headers: SignatureHeaders,
  anyBody: true,
} as const
/** Signed events of other systems (docs/api/events.md). */
export const eventEndpoints = {
  receiveEvent: {
    ...signed,
    path: '/v1/events/{source}',
    summary: 'Send an event',
    description:
      'The binding of (source, type) decides category, template or scenario, and audience. A correctly signed event is ' +
      'recorded and answered with 202 whether or not it is valid, creates a message or starts runs. A repeat returns the ' +
      'same outcome, duplicate true.',
    values: limits.jsonValuesOfLists,
    body: SystemEvent,
    bodyExample: exampleEvent,
    answers: { 202: { description: 'Recorded.', schema: EventAnswer, example: exampleEventAnswer } },
    errors: ['not_configured', 'too_many_subjects'],
  },
  receiveEvents: {
    ...signed,
    path: '/v1/events/{source}/batch',
    summary: 'Send a batch of events',
    description:
      `Up to ${limits.eventsPerBatch} events under one signature, with at most ` +
      `${limits.subjectsPerBatch.toLocaleString('en')} subjects together. Returns one outcome per event, in order; an invalid ` +
      'one does not hold up the others.',
    values: limits.jsonValuesOfLists,
    body: EventBatch,
    bodyExample: { events: [exampleEvent] },
    answers: {
      202: { description: 'Recorded.', schema: EventAnswers, example: { items: [exampleEventAnswer] } },
    },
    errors: ['not_configured', 'too_many_subjects', 'too_many_events'],
  },
} as const satisfies Record<string, Endpoint>

const both = { tag: 'Events', auth: ['producer', 'session'] } as const
const writes = { ...both, roles: ['editor'] } as const
const one = { unit: 'object', params: IdParams } as const
const decides = {
  ...one,
  method: 'POST',
  tag: 'Events',
  auth: ['session'],
  roles: ['approver'],
} as const
const answer = {
  200: { description: 'The binding.', schema: EventBindingDetail, example: exampleBindingDetail },
} as const

/** The bindings of a unit (docs/api/event-bindings.md). */
export const eventBindingEndpoints = {
  listEventBindings: {
    ...both,
    method: 'GET',
    path: '/v1/event-bindings',
    summary: 'List event bindings',
    description: 'Newest first.',
    unit: 'query',
    query: EventBindingListQuery,
    answers: {
      200: {
        description: 'A page.',
        schema: EventBindingPage,
        example: { items: [exampleBinding], nextCursor: null },
      },
    },
    errors: [],
  },
  createEventBinding: {
    ...writes,
    method: 'POST',
    path: '/v1/event-bindings',
    summary: 'Create an event binding',
    description:
      'Defines how events of (source, type) become messages or start runs. A binding to the event’s own subjects with ' +
      'an approved template or scenario is in force at once, unless it says more than what the unit bound to (source, type) ' +
      'before; any other waits for an approver. At most one binding of each (source, type) ' +
      'can be enabled in the whole installation: a second enabled one fails with 409. The unit must have claimed the source.',
    unit: 'body',
    body: CreateEventBinding,
    bodyExample: exampleCreateBinding,
    answers: { 201: { ...answer[200] } },
    errors: ['not_found', 'category_not_allowed', 'audience_dimension_not_allowed', 'invalid_transition'],
  },
  getEventBinding: {
    ...both,
    ...one,
    method: 'GET',
    path: '/v1/event-bindings/{id}',
    summary: 'Get an event binding',
    description:
      'Returns the version in force, and the newest one, which may wait for an approver; allowed says whether the caller ' +
      'may decide about it.',
    answers: answer,
    errors: [],
  },
  updateEventBinding: {
    ...writes,
    ...one,
    method: 'PATCH',
    path: '/v1/event-bindings/{id}',
    summary: 'Update an event binding',
    description:
      'Omitted fields are unchanged. A change that disables or narrows the binding applies to events from now on. Any ' +
      'other waits for an approver while the version in force stays.',
    body: UpdateEventBinding,
    bodyExample: { enabled: false },
    answers: { 200: { ...answer[200], example: exampleSubmittedBinding } },
    errors: ['category_not_allowed', 'audience_dimension_not_allowed', 'invalid_transition'],
  },
  approveEventBinding: {
    ...decides,
    path: '/v1/event-bindings/{id}/approve',
    summary: 'Approve an event binding',
    description:
      'Approves the version that waits. The caller must be an approver of the unit and have written no part of it. ' +
      'It is in force from then on.',
    body: ApproveEventBinding,
    bodyOptional: true,
    bodyExample: { version: 1 },
    answers: answer,
    errors: ['invalid_transition', 'self_approval'],
  },
  rejectEventBinding: {
    ...decides,
    path: '/v1/event-bindings/{id}/reject',
    summary: 'Reject an event binding',
    description:
      'Rejects the version that waits, with a reason. The caller must be an approver of the unit. The version in ' +
      'force stays.',
    body: RejectEventBinding,
    bodyExample: { reason: 'The audience is too wide.', version: 1 },
    answers: answer,
    errors: ['invalid_transition'],
  },
  deleteEventBinding: {
    ...writes,
    ...one,
    method: 'DELETE',
    path: '/v1/event-bindings/{id}',
    summary: 'Delete an event binding',
    description: 'Its events and messages are kept.',
    answers: {
      200: {
        description: 'The binding is deleted.',
        schema: DeletedEventBinding,
        example: { deleted: true },
      },
    },
    errors: [],
  },
  replayEventBinding: {
    ...writes,
    ...one,
    method: 'POST',
    path: '/v1/event-bindings/{id}/replay',
    summary: 'Replay failed events',
    description:
      'Processes every recorded event of (source, type) that created no message and started no runs, with the binding, ' +
      'template or scenario in force.',
    answers: { 200: { description: 'The outcomes.', schema: EventReplay, example: exampleReplay } },
    errors: ['category_not_allowed', 'invalid_transition'],
  },
} as const satisfies Record<string, Endpoint>

/** The events that a unit's bindings are about (docs/api/recorded-events.md). */
export const recordedEventEndpoints = {
  listRecordedEvents: {
    ...both,
    tag: 'Recorded events',
    method: 'GET',
    path: '/v1/recorded-events',
    summary: 'List recorded events',
    description:
      'The events of every (source, type) that a binding of the unit names, newest first, with their outcome. Not ' +
      'those of a pair for which another unit has an enabled binding, except events that created a message or started ' +
      'runs of this unit.',
    unit: 'query',
    query: RecordedEventListQuery,
    answers: {
      200: {
        description: 'A page.',
        schema: RecordedEventPage,
        example: { items: [exampleRecordedEvent], nextCursor: null },
      },
    },
    errors: [],
  },
  getRecordedEvent: {
    ...both,
    tag: 'Recorded events',
    ...one,
    method: 'GET',
    path: '/v1/recorded-events/{id}',
    summary: 'Get a recorded event',
    description: 'Returns its outcome; `details` name the variables that are missing, or the violations.',
    answers: {
      200: { description: 'The event.', schema: RecordedEvent, example: exampleRecordedEvent },
    },
    errors: [],
  },
  replayRecordedEvent: {
    ...writes,
    tag: 'Recorded events',
    ...one,
    method: 'POST',
    path: '/v1/recorded-events/{id}/replay',
    summary: 'Replay a recorded event',
    description:
      'Processes an event that created no message and started no runs again, with the binding, template or scenario in ' +
      'force. Returns its outcome, as sending it again would; of one that has made something, the same outcome with ' +
      '`duplicate: true`.',
    answers: { 200: { description: 'The outcome.', schema: EventAnswer, example: exampleEventAnswer } },
    errors: [],
  },
} as const satisfies Record<string, Endpoint>
