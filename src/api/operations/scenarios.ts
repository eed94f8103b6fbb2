import { keysOf } from '../../contract/enums.ts'
import { ScenarioAnswer } from '../../contract/scenarios/records.ts'
import type { Services } from '../../services/context.ts'
import { cancelRun, cancelRuns } from '../../services/scenario-runs/cancel-runs.ts'
import {
  getRun,
  listScenarioAnswers,
  listScenarioRuns,
  scenarioAnswersOf,
  summariseRuns,
} from '../../services/scenario-runs/records.ts'
import { startRuns } from '../../services/scenario-runs/start-runs.ts'
import { startTestRun } from '../../services/scenario-runs/test-run.ts'
import { putScenario } from '../../services/scenarios/change.ts'
import { approveScenario, rejectScenario } from '../../services/scenarios/decide.ts'
import {
  createScenario,
  getScenario,
  listScenarios,
  listScenarioVersions,
} from '../../services/scenarios/scenarios.ts'
import { simulateContent, simulateScenario } from '../../services/scenarios/simulate.ts'
import { withdrawScenario } from '../../services/scenarios/withdraw.ts'
import { readRunTrace } from '../../services/trace/read.ts'
import { sendCsv, wantsCsv } from '../csv.ts'
import { versionIn } from '../plugins/etag.ts'
import type { Handlers } from '../serve.ts'

const answerTable = { name: 'answers', columns: keysOf(ScenarioAnswer.shape) }

/** Scenarios with their versions and activation, and their runs: started, ended, simulated and read (docs/api/scenarios.md, runs.md). */
export function scenarioHandlers(services: Services) {
  return {
    listScenarios: ({ principal, query }) => listScenarios(services, principal, query),
    createScenario: ({ principal, body }) => createScenario(services, principal, body),
    getScenario: ({ principal, params }) => getScenario(services, principal, params.id),
    putScenario: ({ principal, params, headers, body }) =>
      putScenario(services, principal, params.id, body, { ifMatch: versionIn(headers['if-match']) }),
    listScenarioVersions: ({ principal, params, query }) =>
      listScenarioVersions(services, principal, params.id, query),
    approveScenario: ({ principal, params, body }) => approveScenario(services, principal, params.id, body),
    rejectScenario: ({ principal, params, body }) => rejectScenario(services, principal, params.id, body),
    withdrawScenario: ({ principal, params, body }) => withdrawScenario(services, principal, params.id, body),
    startRuns: async ({ principal, params, headers, body, reply }) => {
      reply.code(202)
      return startRuns(services, principal, params.id, body, headers['idempotency-key'] ?? null)
    },
    startTestRun: async ({ principal, params, body, reply }) => {
      reply.code(202)
      return startTestRun(services, principal, params.id, body)
    },
    cancelRuns: ({ principal, params, body }) => cancelRuns(services, principal, params.id, body),
    cancelRun: ({ principal, params }) => cancelRun(services, principal, params.id),
    simulateContent: ({ principal, body }) => simulateContent(services, principal, body),
    simulateScenario: ({ principal, params, body }) => simulateScenario(services, principal, params.id, body),
    listScenarioRuns: ({ principal, params, query }) =>
      listScenarioRuns(services, principal, params.id, query),
    summariseScenarioRuns: ({ principal, params, query }) =>
      summariseRuns(services, principal, params.id, query),
    listScenarioAnswers: async ({ principal, params, query, request, reply }) =>
      wantsCsv(request)
        ? sendCsv(reply, answerTable, await scenarioAnswersOf(services, principal, params.id, query))
        : listScenarioAnswers(services, principal, params.id, query),
    getRun: ({ principal, params }) => getRun(services, principal, params.id),
    traceRun: ({ principal, params }) => readRunTrace(services, principal, params.id),
  } satisfies Partial<Handlers>
}
