import { once } from 'node:events'
import { createServer } from 'node:http'
import { collectDefaultMetrics, Gauge, register } from 'prom-client'
import type { Config } from './config.ts'
import type { Db } from './db/connect.ts'
import { overdue } from './db/queries/poker.ts'

/** Where the worker says that it lives, and counts: GET /livez and /metrics on METRICS_PORT; closed without one. */
export type WorkerDoor = { close(): Promise<void> }

/** Listens on HOST, where a port is configured. */
export async function openWorkerDoor({ HOST, METRICS_PORT }: Config, db: Db): Promise<WorkerDoor> {
  if (METRICS_PORT === undefined) return { close: async () => {} }
  measure(db)
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

function measure(db: Db): void {
  collectDefaultMetrics()
  new Gauge({
    name: 'carillon_runs_behind',
    help: 'Runs that should have looked at their row a minute ago (overdue), runs whose code fails (wedged).',
    labelNames: ['state'],
    async collect() {
      const counts = await overdue(db).catch(() => ({ overdue: Number.NaN, wedged: Number.NaN }))
      this.set({ state: 'overdue' }, counts.overdue)
      this.set({ state: 'wedged' }, counts.wedged)
    },
  })
}
