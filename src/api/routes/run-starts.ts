import type { FastifyInstance } from 'fastify'
import type { Services } from '../../services/context.ts'
import { cancelRun, cancelRuns } from '../../services/scenario-runs/cancel-runs.ts'
import { startRuns } from '../../services/scenario-runs/start-runs.ts'
import { startTestRun } from '../../services/scenario-runs/test-run.ts'
import { serve } from '../serve.ts'

/** Starting and ending runs of scenarios (docs/api/runs.md). */
export function runStartRoutes(app: FastifyInstance, services: Services): void {
  serve(app, 'startRuns', async ({ principal, params, headers, body, reply }) => {
    reply.code(202)
    return startRuns(services, principal, params.id, body, headers['idempotency-key'] ?? null)
  })

  serve(app, 'startTestRun', async ({ principal, params, body, reply }) => {
    reply.code(202)
    return startTestRun(services, principal, params.id, body)
  })

  serve(app, 'cancelRuns', ({ principal, params, body }) => cancelRuns(services, principal, params.id, body))

  serve(app, 'cancelRun', ({ principal, params }) => cancelRun(services, principal, params.id))
}
