import type { Endpoint } from '../endpoint.ts'
import { exampleId } from '../example-ids.ts'
import { WaitingApprovalPage, WaitingApprovalQuery } from './approval.ts'

/** What waits for a decision (docs/api/approvals.md). Each kind is decided about by its own operations. */
export const waitingApprovalEndpoints = {
  listApprovals: {
    method: 'GET',
    path: '/v1/approvals',
    tag: 'Units',
    summary: 'List what waits for approval',
    description:
      'Messages, and versions of templates, event bindings and scenarios, that wait for an approver of the unit, the oldest ' +
      'first. People decide about them on the pages `/approvals/{kind}/{id}`, programs with the operations of the kind.',
    auth: ['session'],
    roles: ['editor', 'approver'],
    unit: 'query',
    query: WaitingApprovalQuery,
    answers: {
      200: {
        description: 'A page.',
        schema: WaitingApprovalPage,
        example: {
          items: [
            {
              kind: 'message',
              id: exampleId,
              version: 2,
              title: { 'zh-TW': '註冊今天截止', en: 'Registration closes today' },
              author: { id: 'person:01939a2e-0000-7000-8000-000000000002', name: 'Lin Mei' },
              since: '2026-11-30T03:00:00.000Z',
              allowed: { approve: true, reject: true },
            },
          ],
          nextCursor: null,
        },
      },
    },
    errors: [],
  },
} as const satisfies Record<string, Endpoint>
