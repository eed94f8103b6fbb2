import { IdParams } from '../common.ts'
import type { Endpoint } from '../endpoint.ts'
import { MovedMessage } from '../message-moves.ts'

const stops = {
  method: 'POST',
  tag: 'Messages',
  doors: ['producer', 'session'],
  roles: ['editor', 'approver'],
  unit: 'object',
  params: IdParams,
  errors: ['invalid_transition'],
} as const

/** Holding a message back, and letting it go on. */
export const messageStops = {
  cancelMessage: {
    ...stops,
    path: '/v1/messages/{id}/cancel',
    summary: 'Cancel before it is sent',
    description:
      'Possible until the first provider call is prepared; nothing is sent after a 200. The reserved quota is ' +
      'released. On a sent message with a waiting reminder it cancels the reminder and the state stays sent.',
    answers: {
      200: { description: 'It will not be sent.', schema: MovedMessage, example: { state: 'cancelled' } },
    },
  },
  pauseMessage: {
    ...stops,
    path: '/v1/messages/{id}/pause',
    summary: 'Pause',
    description: 'Holds an approved message, or one that is being sent, after the batch in flight.',
    answers: { 200: { description: 'It stands still.', schema: MovedMessage, example: { state: 'paused' } } },
  },
  resumeMessage: {
    ...stops,
    path: '/v1/messages/{id}/resume',
    summary: 'Resume',
    description: 'Goes back to where pause found it.',
    answers: { 200: { description: 'It goes on.', schema: MovedMessage, example: { state: 'sending' } } },
  },
} as const satisfies Record<string, Endpoint>
