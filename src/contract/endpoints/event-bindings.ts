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
} from '../event-binding.ts'
import { exampleBinding, exampleCreateBinding, exampleReplay } from './examples-events.ts'

const both = { tag: 'Events', doors: ['producer', 'session'] } as const
const writes = { ...both, roles: ['editor'] } as const
const one = { unit: 'object', params: IdParams } as const
const answer = {
  200: { description: 'The binding.', schema: EventBinding, example: exampleBinding },
} as const

/** What events lead to: each unit's own (design 5). */
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
