import type { FastifyInstance } from 'fastify'
import { endpoints } from '../../contract/endpoints.ts'
import { ServiceError } from '../../contract/errors.ts'
import { describeApi } from '../../contract/openapi/document.ts'
import { type Db, takesWrites } from '../../db/connect.ts'
import { singleFlight } from '../../domain/lib/single-flight.ts'
import { sha256 } from '../../signing.ts'
import { healthOf, type Integrations, type Probes } from '../health.ts'
import { serve } from '../serve.ts'

/** Health for people, probes for an orchestrator, and the OpenAPI document. Who asks at the same time shares an answer. */
export function serviceRoutes(
  app: FastifyInstance,
  db: Db,
  probes: Probes,
  integrations: Integrations,
): void {
  const health = singleFlight(healthOf(db, probes, integrations))
  const askOnce = singleFlight(() => takesWrites(db))
  let description: { bytes: Buffer; etag: string } | undefined

  serve(app, 'getHealth', () => health())

  serve(app, 'livez', async () => ({ status: 'ok' }))

  serve(app, 'readyz', async () => {
    if (app.draining)
      throw new ServiceError('unavailable', 'This process is shutting down. Send requests to another one.')
    if (!(await askOnce()))
      throw new ServiceError(
        'unavailable',
        'The database takes no writes: it is a standby, or read-only. Send requests to another process.',
      )
    return { status: 'ok' }
  })

  serve(app, 'openapi', async ({ reply }) => {
    description ??= describe()
    const { bytes, etag } = description
    return reply
      .headers({ etag, 'cache-control': 'no-cache' })
      .type('application/json; charset=utf-8')
      .send(bytes)
  })
}

/** The OpenAPI document as it is sent, and its digest: the same until another version is installed. */
function describe(): { bytes: Buffer; etag: string } {
  const text = JSON.stringify(describeApi(endpoints))
  return { bytes: Buffer.from(text), etag: `"${sha256(text).toString('base64url')}"` }
}
