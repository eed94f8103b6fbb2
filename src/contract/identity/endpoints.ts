import type { Endpoint } from '../endpoint.ts'
import { exampleId, exampleUnitId } from '../example-ids.ts'
import { AuditPage, AuditQuery, Summary, SummaryQuery } from './audit.ts'

const forMembers = {
  method: 'GET',
  tag: 'Units',
  auth: ['session'],
  roles: ['editor', 'approver'],
  unit: 'query',
  errors: [],
} as const

/** The activity of a unit. */
export const oversightEndpoints = {
  getSummary: {
    ...forMembers,
    path: '/v1/summary',
    summary: 'Get a summary of the unit',
    description:
      'Counts of the messages, templates, event bindings and scenarios that are pending approval, and of sends in progress or ' +
      'parked. Inexpensive to poll.',
    query: SummaryQuery,
    answers: {
      200: {
        description: 'The current counts.',
        schema: Summary,
        example: {
          toApprove: 3,
          templatesToApprove: 1,
          bindingsToApprove: 0,
          scenariosToApprove: 0,
          sending: 2,
          parked: 0,
        },
      },
    },
  },
  listAudit: {
    ...forMembers,
    path: '/v1/audit',
    summary: 'List audit entries',
    description:
      'Who did what, newest first: every call that changed something, and every automatic move of a message. With ' +
      '`scope=installation`, system administrators get the entries that belong to no unit.',
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
