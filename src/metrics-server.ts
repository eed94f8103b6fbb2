import { once } from 'node:events'
import { createServer } from 'node:http'
import { collectDefaultMetrics, register } from 'prom-client'
import type { Config } from './config.ts'
import type { Db } from './db/connect.ts'
import { registerQueueMetrics, registerRunMetrics, registerSendingMetrics } from './temporal/metrics.ts'

/** The worker's GET /livez and /metrics on METRICS_PORT. */
export type MetricsServer = { close(): Promise<void> }

/** Listens on HOST if METRICS_PORT is set. */
export async function startMetricsServer({ HOST, METRICS_PORT }: Config, db: Db): Promise<MetricsServer> {
  if (METRICS_PORT === undefined) return { close: async () => {} }
  collectDefaultMetrics()
  registerRunMetrics(db, register)
  registerSendingMetrics(db, register)
  registerQueueMetrics(db, register)
  const server = createServer(async ({ url }, response) => {
    if (url === '/livez') return response.end('ok')
    if (url !== '/metrics') return response.writeHead(404).end()
    response.setHeader('content-type', register.contentType).end(await register.metrics())
  })
  server.listen(METRICS_PORT, HOST)
  await once(server, 'listening')
  return {
    async close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
