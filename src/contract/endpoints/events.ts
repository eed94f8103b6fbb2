import type { Endpoint } from '../endpoint.ts'
import {
  EventAnswer,
  EventAnswers,
  EventBatch,
  EventParams,
  SignatureHeaders,
  SystemEvent,
} from '../event.ts'
import { exampleEvent, exampleEventAnswer } from './examples-events.ts'

const signed = {
  method: 'POST',
  tag: 'Events',
  doors: ['event'],
  unit: 'none',
  params: EventParams,
  headers: SignatureHeaders,
} as const
/** What happened elsewhere, signed (interface, B). */
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
