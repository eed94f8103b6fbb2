import { IdParams } from '../common.ts'
import type { Endpoint } from '../endpoint.ts'
import { MovedMessage, RetryMessage } from '../message-moves.ts'

const stops = {
  method: 'POST',
  tag: 'Messages',
  doors: ['producer', 'session'],
  roles: ['editor', 'approver'],
  unit: 'object',
  params: IdParams,
  errors: ['invalid_transition'],
} as const

/** Holding a message back, letting it go on, and ending it. Of a message that is sent, all this is about its reminder. */
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
  stopMessage: {
    ...stops,
    path: '/v1/messages/{id}/stop',
    summary: 'Stop in the middle of the send',
    description:
      'Possible from the first provider call on; before it, cancel. The calls under way finish, and whoever is left ' +
      'is skipped as stopped.',
    answers: {
      200: { description: 'Nobody else will be told.', schema: MovedMessage, example: { state: 'stopped' } },
    },
  },
  retryMessage: {
    ...stops,
    path: '/v1/messages/{id}/retry',
    summary: 'Try again now, or give up who is left',
    description:
      'Of a send that is parked (see problem): it tries again by itself every minute, this does so at once. With ' +
      'skip, whoever is left is skipped as parked and the message finishes.',
    body: RetryMessage,
    bodyOptional: true,
    bodyExample: { skip: true },
    answers: {
      200: {
        description: 'It tries, or it finishes.',
        schema: MovedMessage,
        example: { state: 'sending' },
      },
    },
  },
} as const satisfies Record<string, Endpoint>
