import { z } from 'zod'
import { IdParams } from '../common.ts'
import type { Endpoint } from '../endpoint.ts'
import { exampleId } from '../example-ids.ts'
import { limits } from '../limits.ts'
import {
  CancelledRun,
  CancelledRuns,
  CancelRuns,
  StartedRuns,
  StartRuns,
  StartTestRun,
  TestRun,
} from './starts.ts'

const ofScenario = { tag: 'Scenarios', unit: 'object', params: IdParams, method: 'POST' } as const
const both = { auth: ['producer', 'session'] } as const

/** Starting and ending runs of scenarios (docs/api/runs.md). */
export const startEndpoints = {
  startRuns: {
    ...ofScenario,
    ...both,
    roles: ['editor'],
    path: '/v1/scenarios/{id}/runs',
    summary: 'Start runs of a scenario',
    description:
      'Starts a run of the version in force for each eligible person without an open run. If any rule ' +
      'rejects the call, no run is started. Keys and sessions need the rights to the category and the ' +
      'audience, as for a message. A version approved automatically can be started for at most ' +
      '`autoMaxRecipients` people of its category in 24 hours, and takes ' +
      `no audience (403). A unit has at most ${limits.openRunsPerUnit.toLocaleString('en')} open runs (409).`,
    headers: z.object({
      'idempotency-key': z
        .string()
        .min(1)
        .max(limits.idempotencyKeyLength)
        .optional()
        .describe(
          `Names this start among those of the scenario, 1 to ${limits.idempotencyKeyLength} characters. A repeat with the ` +
            'same body gets the same answer. Required with `audience`.',
        ),
    }),
    body: StartRuns,
    values: limits.jsonValuesOfLists,
    bodyExample: { audience: { kind: 'query', roles: ['student'] } },
    answers: {
      202: {
        description: 'The runs have started.',
        schema: StartedRuns,
        example: {
          items: [{ id: exampleId, uid: 's1', created: true }],
          started: 1,
          unknownUids: 0,
          alreadyRunning: 0,
          excluded: { noConsent: 0, noAddress: 0, preferenceOff: 0, blocked: 0 },
        },
      },
    },
    errors: [
      'idempotency_key_required',
      'idempotency_mismatch',
      'missing_variable',
      'category_not_allowed',
      'individual_targeting_disabled',
      'audience_dimension_not_allowed',
      'invalid_transition',
      'too_many_subjects',
      'too_many_runs',
    ],
  },
  startTestRun: {
    ...ofScenario,
    auth: ['session'],
    path: '/v1/scenarios/{id}/test-run',
    summary: 'Start a test with yourself',
    description:
      'Starts a run of the newest version, approved or not, on the chat address of the caller’s subject. It ends an ' +
      'earlier test of the caller, tells only them, and registers and tags nothing.',
    body: StartTestRun,
    bodyOptional: true,
    bodyExample: { variables: { name: '林佳蓉' } },
    answers: {
      202: { description: 'The test has started.', schema: TestRun, example: { id: exampleId, version: 2 } },
    },
    errors: ['missing_variable', 'invalid_transition', 'too_many_runs'],
  },
  cancelRuns: {
    ...ofScenario,
    ...both,
    path: '/v1/scenarios/{id}/runs/cancel',
    summary: 'Cancel runs of a scenario',
    description:
      'Ends the open runs of a scenario, or those of a version or at a node. Unsent turns are discarded, ' +
      'and the people are not notified. New runs can still start: pause the scenario first to end all.',
    body: CancelRuns,
    bodyOptional: true,
    bodyExample: { version: 1 },
    answers: {
      200: { description: 'The runs are over.', schema: CancelledRuns, example: { cancelled: 12 } },
    },
    errors: ['category_not_allowed'],
  },
  cancelRun: {
    ...both,
    tag: 'Runs',
    unit: 'object',
    params: IdParams,
    method: 'POST',
    path: '/v1/runs/{id}/cancel',
    summary: 'Cancel a run',
    description: 'Ends an open run. Its unsent turns are discarded, and the person is not notified.',
    answers: {
      200: {
        description: 'The run is over.',
        schema: CancelledRun,
        example: { id: exampleId, state: 'cancelled' },
      },
    },
    errors: ['category_not_allowed', 'invalid_transition'],
  },
} as const satisfies Record<string, Endpoint>
