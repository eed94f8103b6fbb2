import type { FastifyInstance } from 'fastify'
import type { Services } from '../../services/context.ts'
import { putScenario } from '../../services/scenarios/change.ts'
import { approveScenario, rejectScenario } from '../../services/scenarios/decide.ts'
import {
  createScenario,
  getScenario,
  listScenarios,
  listScenarioVersions,
} from '../../services/scenarios/scenarios.ts'
import { serve } from '../serve.ts'
import { versionIn } from '../version-in.ts'

/** Scenarios, their versions and their activation (docs/api/scenarios.md). */
export function scenarioRoutes(app: FastifyInstance, services: Services): void {
  serve(app, 'listScenarios', ({ principal, query }) => listScenarios(services, principal, query))

  serve(app, 'createScenario', ({ principal, body }) => createScenario(services, principal, body))

  serve(app, 'getScenario', ({ principal, params }) => getScenario(services, principal, params.id))

  serve(app, 'putScenario', ({ principal, params, headers, body }) =>
    putScenario(services, principal, params.id, body, { ifMatch: versionIn(headers['if-match']) }),
  )

  serve(app, 'listScenarioVersions', ({ principal, params, query }) =>
    listScenarioVersions(services, principal, params.id, query),
  )

  serve(app, 'approveScenario', ({ principal, params, body }) =>
    approveScenario(services, principal, params.id, body),
  )

  serve(app, 'rejectScenario', ({ principal, params, body }) =>
    rejectScenario(services, principal, params.id, body),
  )
}
