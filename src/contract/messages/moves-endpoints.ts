import { IdParams } from '../common.ts'
import type { Endpoint } from '../endpoint.ts'
import { ApprovalOutcome, ApproveMessage, MovedMessage, RejectMessage, RetryMessage } from './moves.ts'

/** May it go out? A producer key asks the automatic check, an approver decides. */
export const approvalEndpoints = {
  approveMessage: {
    method: 'POST',
    path: '/v1/messages/{id}/approve',
    tag: 'Messages',
    summary: 'Approve',
    description:
      'With a producer key: the automatic check; what it will not approve stays in the review queue, with the ' +
      'reason. With a session: an approver who is no author decides. Reserves the quota.',
    doors: ['producer', 'session'],
    roles: ['approver'],
    unit: 'object',
    params: IdParams,
    body: ApproveMessage,
    bodyOptional: true,
    bodyExample: { version: 2 },
    answers: {
      200: {
        description: 'Approved, or left to a person.',
        schema: ApprovalOutcome,
        example: { approved: false, reason: 'template_not_approved' },
      },
    },
    errors: ['invalid_transition', 'quota_exceeded', 'self_approval'],
  },
  rejectMessage: {
    method: 'POST',
    path: '/v1/messages/{id}/reject',
    tag: 'Messages',
    summary: 'Reject',
    description: 'An approver says no, and why.',
    doors: ['session'],
    roles: ['approver'],
    unit: 'object',
    params: IdParams,
    body: RejectMessage,
    bodyExample: { reason: 'The date in the second card is last year’s.', version: 2 },
    answers: {
      200: { description: 'It is over.', schema: MovedMessage, example: { state: 'rejected' } },
    },
    errors: ['invalid_transition'],
  },
} as const satisfies Record<string, Endpoint>

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
