import { IdParams, ifMatch, PageQuery } from '../common.ts'
import type { Endpoint } from '../endpoint.ts'
import {
  exampleCreateScenario,
  exampleScenario,
  exampleScenarioItem,
  exampleScenarioVersion,
  exampleSubmittedScenario,
} from './examples.ts'
import {
  ApproveScenario,
  CreateScenario,
  PutScenario,
  RejectScenario,
  Scenario,
  ScenarioListQuery,
  ScenarioPage,
  ScenarioVersionPage,
  WithdrawScenario,
} from './scenario.ts'

const both = { tag: 'Scenarios', auth: ['producer', 'session'] } as const
const writes = { ...both, roles: ['editor'] } as const
const one = { unit: 'object', params: IdParams } as const
const decides = { ...one, method: 'POST', tag: 'Scenarios', auth: ['session'], roles: ['approver'] } as const
const contentErrors = [
  'not_found',
  'category_not_allowed',
  'fixed_category',
  'dag_invalid',
  'content_violation',
] as const

/** The scenarios of a unit, their versions, and their activation (docs/api/scenarios.md). */
export const scenarioEndpoints = {
  listScenarios: {
    ...both,
    method: 'GET',
    path: '/v1/scenarios',
    summary: 'List scenarios',
    description:
      'Newest first, each with its newest version. A page ends before its items exceed 1 MiB; with ' +
      '`fields=summary` they have no content.',
    unit: 'query',
    query: ScenarioListQuery,
    answers: {
      200: {
        description: 'A page.',
        schema: ScenarioPage,
        example: { items: [{ ...exampleScenarioItem, ...exampleScenarioVersion }], nextCursor: null },
      },
    },
    errors: [],
  },
  createScenario: {
    ...writes,
    method: 'POST',
    path: '/v1/scenarios',
    summary: 'Create a scenario',
    description:
      'Saves a draft. All problems of its graph are reported at once (400 dag_invalid). Groups, ' +
      'categories and scenarios that it names must exist, and Lookups must call registered endpoints. No ' +
      'run starts until it is activated.',
    unit: 'body',
    body: CreateScenario,
    bodyExample: exampleCreateScenario,
    answers: {
      201: {
        description: 'The draft.',
        schema: Scenario,
        example: {
          ...exampleSubmittedScenario,
          state: 'draft',
          versionState: 'draft',
          submittedAt: null,
          reason: null,
        },
      },
    },
    errors: [...contentErrors],
  },
  getScenario: {
    ...both,
    ...one,
    method: 'GET',
    path: '/v1/scenarios/{id}',
    summary: 'Get a scenario',
    description: 'Returns its newest version; inForce is the one that new runs follow.',
    answers: { 200: { description: 'The scenario.', schema: Scenario, example: exampleScenario } },
    errors: [],
  },
  putScenario: {
    ...writes,
    ...one,
    method: 'PUT',
    path: '/v1/scenarios/{id}',
    summary: 'Change, activate, pause or retire a scenario',
    description:
      'Changed content creates a new version, which replaces a draft or pending one; unchanged content ' +
      'does not. With the state `active` the newest version is in force at once if its category is ' +
      'automatic and it has no triggers; otherwise it waits for an approver (`state: submitted`, with ' +
      'the `reason`) while the one in force goes on. In a pause the state `active` without content ends ' +
      'the pause, and a newer version stays as it is. Runs stay on the version they began with. With ' +
      'If-Match the change is rejected (409 invalid_transition) if there is a newer version.',
    headers: ifMatch('The newest version, as it was shown.'),
    body: PutScenario,
    bodyExample: { state: 'active' },
    answers: {
      200: { description: 'The scenario.', schema: Scenario, example: exampleSubmittedScenario },
    },
    errors: ['individual_targeting_disabled', 'invalid_transition', 'not_configured', ...contentErrors],
  },
  listScenarioVersions: {
    ...both,
    ...one,
    method: 'GET',
    path: '/v1/scenarios/{id}/versions',
    summary: 'List versions of a scenario',
    description: 'Newest first, with the author and the decision of each.',
    query: PageQuery,
    answers: {
      200: {
        description: 'A page.',
        schema: ScenarioVersionPage,
        example: { items: [exampleScenarioVersion], nextCursor: null },
      },
    },
    errors: [],
  },
  approveScenario: {
    ...decides,
    path: '/v1/scenarios/{id}/approve',
    summary: 'Approve a scenario',
    description:
      'Approves the version that waits, which the body names: it is in force from then on. The caller must be an approver ' +
      'of the unit and have written or submitted no part of it.',
    body: ApproveScenario,
    bodyExample: { version: 1 },
    answers: {
      200: {
        description: 'The scenario.',
        schema: Scenario,
        example: {
          ...exampleScenario,
          autoApproved: false,
          decision: { by: { id: 'person:1', name: 'Lin Mei' }, at: '2026-11-21T02:00:00.000Z' },
        },
      },
    },
    errors: ['invalid_transition', 'self_approval', 'dag_invalid'],
  },
  rejectScenario: {
    ...decides,
    path: '/v1/scenarios/{id}/reject',
    summary: 'Reject a scenario',
    description:
      'Rejects the version that waits, which the body names, with a reason. The caller must be an approver of the unit. The version in force stays.',
    body: RejectScenario,
    bodyExample: { reason: 'The English question is missing.', version: 1 },
    answers: {
      200: {
        description: 'The scenario.',
        schema: Scenario,
        example: {
          ...exampleSubmittedScenario,
          state: 'draft',
          versionState: 'rejected',
          reason: null,
          decision: {
            by: { id: 'person:1', name: 'Lin Mei' },
            at: '2026-11-21T02:00:00.000Z',
            reason: 'The English question is missing.',
          },
        },
      },
    },
    errors: ['invalid_transition'],
  },
  withdrawScenario: {
    ...writes,
    ...one,
    method: 'POST',
    path: '/v1/scenarios/{id}/withdraw',
    summary: 'Withdraw a scenario to change it',
    description:
      'Takes back the version that waits, which the body names: it does not wait any more, and approvers read who took it ' +
      'back. 409 invalid_transition once it is decided about. The version in force stays.',
    body: WithdrawScenario,
    bodyExample: { version: 1 },
    answers: {
      200: {
        description: 'The scenario.',
        schema: Scenario,
        example: {
          ...exampleSubmittedScenario,
          state: 'draft',
          versionState: 'withdrawn',
          reason: null,
          decision: { by: { id: 'person:1', name: 'Lin Mei' }, at: '2026-11-21T02:00:00.000Z' },
        },
      },
    },
    errors: ['category_not_allowed', 'invalid_transition'],
  },
} as const satisfies Record<string, Endpoint>
