import type { FastifyInstance } from 'fastify'
import type { Services } from '../../services/context.ts'
import {
  getRun,
  listScenarioAnswers,
  listScenarioRuns,
  summariseRuns,
} from '../../services/scenario-runs/records.ts'
import { simulateContent, simulateScenario } from '../../services/scenarios/simulate.ts'
import { serve } from '../serve.ts'

/** Simulations of scenarios, and the records of their runs (docs/api/runs.md). */
export function runRecordRoutes(app: FastifyInstance, services: Services): void {
  serve(app, 'simulateContent', ({ principal, body }) => simulateContent(services, principal, body))

  serve(app, 'simulateScenario', ({ principal, params, body }) =>
    simulateScenario(services, principal, params.id, body),
  )

  serve(app, 'listScenarioRuns', ({ principal, params, query }) =>
    listScenarioRuns(services, principal, params.id, query),
  )

  serve(app, 'summariseScenarioRuns', ({ principal, params, query }) =>
    summariseRuns(services, principal, params.id, query),
  )

  serve(app, 'listScenarioAnswers', ({ principal, params, query }) =>
    listScenarioAnswers(services, principal, params.id, query),
  )

  serve(app, 'getRun', ({ principal, params }) => getRun(services, principal, params.id))
}
