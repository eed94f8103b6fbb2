import type { FastifyInstance } from 'fastify'
import type { Services } from '../../services/context.ts'
import { getExecutiveMetrics, getTrend } from '../../services/metrics/read.ts'
import { serve } from '../serve.ts'

/** The numbers of a unit. */
export function metricsRoutes(app: FastifyInstance, services: Services): void {
  serve(app, 'getExecutiveMetrics', ({ principal, query }) => getExecutiveMetrics(services, principal, query))

  serve(app, 'getTrend', ({ principal, query }) => getTrend(services, principal, query))
}
