import type { FastifyInstance } from 'fastify'
import type { Registry } from 'prom-client'
import { endpoints } from '../../contract/endpoints.ts'
import { ServiceError } from '../../contract/errors.ts'
import { describeApi, type OpenApi } from '../../contract/openapi/document.ts'
import { type Db, ping } from '../../db/connect.ts'
import { healthOf, type Probes } from '../health.ts'
import { serve } from '../serve.ts'

/** Health for people, probes for an orchestrator, metrics for Prometheus, and the OpenAPI document. */
export function serviceRoutes(app: FastifyInstance, db: Db, probes: Probes, metrics: Registry): void {
  const health = healthOf(db, probes)
  let description: OpenApi | undefined

  serve(app, 'getHealth', () => health())

  serve(app, 'livez', async () => ({ status: 'ok' }))

  serve(app, 'readyz', async () => {
    if (app.draining)
      throw new ServiceError('unavailable', 'This process is shutting down. Send requests to another one.')
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
