import type { Endpoint } from '../endpoint.ts'
import { exampleId, exampleUnitId } from '../example-ids.ts'
import { AuditPage, AuditQuery, Summary, SummaryQuery } from './audit.ts'

const forMembers = {
  method: 'GET',
  tag: 'Units',
  doors: ['session'],
  roles: ['editor', 'approver'],
  unit: 'query',
  errors: [],
} as const

/** What goes on in a unit, and what was done. */
export const oversightEndpoints = {
  getSummary: {
    ...forMembers,
    path: '/v1/summary',
    summary: 'What waits',
    description: 'What waits for an approver, what is being sent and what stands still, in one cheap call.',
    query: SummaryQuery,
    answers: {
      200: {
        description: 'Counts of now.',
        schema: Summary,
        example: { toApprove: 3, templatesToApprove: 1, sending: 2, parked: 0 },
      },
    },
  },
  listAudit: {
    ...forMembers,
    path: '/v1/audit',
    summary: 'Audit log',
    description:
      'Who did what, newest first: every call that changed something, and every move a message made by itself. ' +
      'System administrators see with `scope=installation` what belongs to no unit.',
    query: AuditQuery,
    answers: {
      200: {
        description: 'A page.',
        schema: AuditPage,
        example: {
          items: [
            {
              id: 4_711,
              at: '2026-11-30T03:00:00.000Z',
              unitId: exampleUnitId,
              by: { id: 'person:01939a2e-0000-7000-8000-000000000002', name: 'Lin Mei' },
              action: 'approve',
              objectKind: 'message',
              objectId: exampleId,
              fromState: 'submitted',
              toState: 'approved',
              version: 3,
              reason: null,
              details: null,
            },
          ],
          nextCursor: null,
        },
      },
    },
  },
} as const satisfies Record<string, Endpoint>
