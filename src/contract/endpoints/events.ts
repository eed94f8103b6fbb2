import type { Endpoint } from '../endpoint.ts'
import { EventAnswer, EventAnswers, EventBatch, EventParams, SystemEvent } from '../event.ts'
import { exampleEvent, exampleEventAnswer } from './examples-events.ts'

const signed = { method: 'POST', tag: 'Events', doors: ['event'], unit: 'none', params: EventParams } as const
const signature =
  'X-Service-Signature is `v1=` and the hex HMAC-SHA256 of `timestamp.rawBody` under the secret of X-Service-Key-Id; ' +
  'X-Service-Timestamp, in unix seconds, may be 300 s away from now.'

/** What happened elsewhere, signed (interface, B). */
export const eventEndpoints = {
  receiveEvent: {
    ...signed,
    path: '/v1/events/{source}',
    summary: 'Tell what happened',
    description:
      'The binding of (source, type) decides category, template and audience. A well-signed event is recorded and ' +
      `answered 202 whether it made a message or not; sent again it is answered the same, with duplicate true. ${signature}`,
    body: SystemEvent,
    bodyExample: exampleEvent,
    answers: { 202: { description: 'Recorded.', schema: EventAnswer, example: exampleEventAnswer } },
    errors: ['too_many_subjects'],
  },
  receiveEvents: {
    ...signed,
    path: '/v1/events/{source}/batch',
    summary: 'Tell several things at once',
    description: `Up to 100 events under one signature; one answer each, in their order. ${signature}`,
    body: EventBatch,
    bodyExample: { events: [exampleEvent] },
    answers: {
      202: { description: 'Recorded.', schema: EventAnswers, example: { items: [exampleEventAnswer] } },
    },
    errors: ['too_many_subjects', 'too_many_events'],
  },
} as const satisfies Record<string, Endpoint>
