import { IdParams } from '../common.ts'
import type { Endpoint } from '../endpoint.ts'
import { ApprovalOutcome, ApproveMessage, MovedMessage, RejectMessage } from '../message-moves.ts'

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
