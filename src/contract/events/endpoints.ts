import { IdParams } from '../common.ts'
import type { Endpoint } from '../endpoint.ts'
import {
  CreateEventBinding,
  DeletedEventBinding,
  EventBinding,
  EventBindingListQuery,
  EventBindingPage,
  EventReplay,
  UpdateEventBinding,
} from './binding.ts'
import { EventAnswer, EventAnswers, EventBatch, EventParams, SignatureHeaders, SystemEvent } from './event.ts'
import {
  exampleBinding,
  exampleCreateBinding,
  exampleEvent,
  exampleEventAnswer,
  exampleReplay,
} from './examples.ts'

const signed = {
  method: 'POST',
  tag: 'Events',
  doors: ['event'],
  unit: 'none',
  params: EventParams,
  headers: SignatureHeaders,
} as const
/** Signed events of other systems (docs/api/events.md). */
export const eventEndpoints = {
  receiveEvent: {
    ...signed,
    path: '/v1/events/{source}',
    summary: 'Tell what happened',
    description:
      'The binding of (source, type) decides category, template and audience. A well-signed event is recorded and ' +
      `answered 202 whether it made a message or not; sent again it is answered the same, with duplicate true.`,
    body: SystemEvent,
    bodyExample: exampleEvent,
    answers: { 202: { description: 'Recorded.', schema: EventAnswer, example: exampleEventAnswer } },
    errors: ['too_many_subjects'],
  },
  receiveEvents: {
    ...signed,
    path: '/v1/events/{source}/batch',
    summary: 'Tell several things at once',
    description: `Up to 100 events under one signature; one answer each, in their order.`,
    body: EventBatch,
    bodyExample: { events: [exampleEvent] },
    answers: {
      202: { description: 'Recorded.', schema: EventAnswers, example: { items: [exampleEventAnswer] } },
    },
    errors: ['too_many_subjects', 'too_many_events'],
  },
} as const satisfies Record<string, Endpoint>

const both = { tag: 'Events', doors: ['producer', 'session'] } as const
const writes = { ...both, roles: ['editor'] } as const
const one = { unit: 'object', params: IdParams } as const
const answer = {
  200: { description: 'The binding.', schema: EventBinding, example: exampleBinding },
} as const

/** What events lead to; each unit has its own bindings (docs/api/event-bindings.md). */
export const eventBindingEndpoints = {
  listEventBindings: {
    ...both,
    method: 'GET',
    path: '/v1/event-bindings',
    summary: 'Event bindings of a unit',
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
    summary: 'Bind an event',
    description:
      'Says what an event of (source, type) leads to. In the whole installation one binding of each (source, type) is ' +
      'in force: a second one is refused with 409, unless it is not enabled.',
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
    summary: 'One event binding',
    description: 'As it is now.',
    answers: answer,
    errors: [],
  },
  updateEventBinding: {
    ...writes,
    ...one,
    method: 'PATCH',
    path: '/v1/event-bindings/{id}',
    summary: 'Change an event binding',
    description: 'The fields that are given; the others stay. It holds for events from now on.',
    body: UpdateEventBinding,
    bodyExample: { enabled: false },
    answers: answer,
    errors: ['category_not_allowed', 'audience_dimension_not_allowed', 'invalid_transition'],
  },
  deleteEventBinding: {
    ...writes,
    ...one,
    method: 'DELETE',
    path: '/v1/event-bindings/{id}',
    summary: 'Delete an event binding',
    description: 'Events and messages that it made stay.',
    answers: {
      200: {
        description: 'It is gone.',
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
    summary: 'Try failed events again',
    description:
      'Works off every recorded event of (source, type) that made no message, as the binding and its template are now.',
    answers: { 200: { description: 'What became of them.', schema: EventReplay, example: exampleReplay } },
    errors: ['invalid_transition'],
  },
} as const satisfies Record<string, Endpoint>
