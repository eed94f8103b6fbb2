import { IdParams } from '../common.ts'
import type { Endpoint } from '../endpoint.ts'
import {
  ApprovalOutcome,
  ApproveMessage,
  MovedMessage,
  RejectMessage,
  RetryMessage,
  WithdrawMessage,
} from './moves.ts'

/** Approval: a producer key runs the automatic check, an approver decides. */
export const approvalEndpoints = {
  approveMessage: {
    method: 'POST',
    path: '/v1/messages/{id}/approve',
    tag: 'Messages',
    summary: 'Approve a message',
    description:
      'With a producer key: runs the automatic check; a message that does not pass stays in the review queue, and the ' +
      'response contains the reason. With a session: approves the message, unless the caller is one of its authors. ' +
      'Approval reserves the quota.',
    auth: ['producer', 'session'],
    roles: ['approver'],
    unit: 'object',
    params: IdParams,
    body: ApproveMessage,
    bodyOptional: true,
    bodyExample: { version: 2 },
    answers: {
      200: {
        description: 'Approved, or left in the review queue.',
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
    summary: 'Reject a message',
    description: 'Rejects with a reason for the author.',
    auth: ['session'],
    roles: ['approver'],
    unit: 'object',
    params: IdParams,
    body: RejectMessage,
    bodyExample: { reason: 'The date in the second card is last year’s.', version: 2 },
    answers: {
      200: { description: 'The message is rejected.', schema: MovedMessage, example: { state: 'rejected' } },
    },
    errors: ['invalid_transition'],
  },
} as const satisfies Record<string, Endpoint>

const stops = {
  method: 'POST',
  tag: 'Messages',
  auth: ['producer', 'session'],
  roles: ['editor', 'approver'],
  unit: 'object',
  params: IdParams,
  errors: ['invalid_transition'],
} as const

/** Pausing, resuming and ending a message. For a sent message, each acts on its reminder. */
export const messageStops = {
  withdrawMessage: {
    ...stops,
    path: '/v1/messages/{id}/withdraw',
    summary: 'Withdraw a message to edit it',
    description:
      'Takes back a message that waits for its approval: it is a draft again, as it was written, and is edited and submitted ' +
      'as any other. Of a withdrawal and an approval at the same moment one wins, and the other is 409 invalid_transition. ' +
      'The body may be omitted, or name the version that was shown.',
    body: WithdrawMessage,
    bodyOptional: true,
    bodyExample: { version: 2 },
    answers: {
      200: {
        description: 'The message is a draft.',
        schema: MovedMessage,
        example: { state: 'draft' },
      },
    },
  },
  cancelMessage: {
    ...stops,
    path: '/v1/messages/{id}/cancel',
    summary: 'Cancel a message',
    description:
      'Possible until the first provider call is prepared; after a 200 nothing is sent. Releases the reserved quota. ' +
      'For a sent message with a waiting reminder it cancels the reminder, and the state stays sent.',
    answers: {
      200: {
        description: 'The message will not be sent.',
        schema: MovedMessage,
        example: { state: 'cancelled' },
      },
    },
  },
  pauseMessage: {
    ...stops,
    path: '/v1/messages/{id}/pause',
    summary: 'Pause a message',
    description:
      'Holds an approved message, or a send: batches in flight finish, and no further batch starts.',
    answers: {
      200: { description: 'The message is paused.', schema: MovedMessage, example: { state: 'paused' } },
    },
  },
  resumeMessage: {
    ...stops,
    path: '/v1/messages/{id}/resume',
    summary: 'Resume a message',
    description: 'Returns to the state before the pause.',
    answers: {
      200: { description: 'The message continues.', schema: MovedMessage, example: { state: 'sending' } },
    },
  },
  stopMessage: {
    ...stops,
    path: '/v1/messages/{id}/stop',
    summary: 'Stop a send',
    description:
      'Possible from the first provider call on; before that, use cancel. Calls in flight finish, and the remaining ' +
      'recipients are skipped with reason stopped.',
    answers: {
      200: {
        description: 'The message will be sent to no further recipients.',
        schema: MovedMessage,
        example: { state: 'stopped' },
      },
    },
  },
  retryMessage: {
    ...stops,
    path: '/v1/messages/{id}/retry',
    summary: 'Retry a parked send, or skip the remaining recipients',
    description:
      'A parked send (see problem) is retried automatically every minute; this retries it immediately. With skip, ' +
      'the remaining recipients are skipped with reason parked and the message finishes.',
    body: RetryMessage,
    bodyOptional: true,
    bodyExample: { skip: true },
    answers: {
      200: {
        description: 'The send is retried, or finishes.',
        schema: MovedMessage,
        example: { state: 'sending' },
      },
    },
  },
} as const satisfies Record<string, Endpoint>
