import type { FastifyInstance } from 'fastify'
import type { Registry } from 'prom-client'
import { endpoints } from '../../contract/endpoints.ts'
import { ServiceError } from '../../contract/errors.ts'
import { describeApi, type OpenApi } from '../../contract/openapi/document.ts'
import { type Db, ping } from '../../db/connect.ts'
import { healthOf, type Probes } from '../health.ts'
import { serve } from '../serve.ts'

/** How the service is: for people, for an orchestrator, for Prometheus; and its description. */
export function serviceRoutes(app: FastifyInstance, db: Db, probes: Probes, metrics: Registry): void {
  const health = healthOf(db, probes)
  let description: OpenApi | undefined

  serve(app, 'getHealth', () => health())

  serve(app, 'livez', async () => ({ status: 'ok' }))

  serve(app, 'readyz', async () => {
    if (app.draining) throw new ServiceError('unavailable', 'This process is about to end. Ask another one.')
    await ping(db)
    return { status: 'ok' }
  })

  serve(app, 'metrics', async ({ reply }) => {
    reply.type(metrics.contentType)
    return metrics.metrics()
  })

  serve(app, 'openapi', async () => {
    description ??= describeApi(endpoints)
    return description
  })
}
