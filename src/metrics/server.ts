import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Registry } from 'prom-client'
import type { Config } from '../config.ts'
import { singleFlight } from '../domain/lib/single-flight.ts'

/** A process' GET /livez and /metrics on METRICS_PORT, apart from what callers of the API can reach. */
export type MetricsServer = { close(): Promise<void> }

/** Listens on HOST if METRICS_PORT is set. `more`: further metrics, as text for Prometheus. */
export async function startMetricsServer(
  { HOST, METRICS_PORT }: Pick<Config, 'HOST' | 'METRICS_PORT'>,
  registry: Registry,
  more = async () => '',
): Promise<MetricsServer> {
  if (METRICS_PORT === undefined) return { close: async () => {} }
  const collect = singleFlight(async () => (await Promise.all([registry.metrics(), more()])).join('\n'))
  const server = createServer(async ({ url }, response) => {
    if (url === '/livez') return response.end('ok')
    if (url !== '/metrics') return response.writeHead(404).end()
    response.setHeader('content-type', registry.contentType).end(await collect())
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
