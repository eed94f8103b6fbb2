import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Gauge, Histogram, Registry, register } from 'prom-client'
import { type Db, poolUsage } from '../../db/connect.ts'
import { registerRunMetrics } from '../../temporal/metrics.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** The metrics of the API and of its process, served on a port of their own (metrics-server.ts). */
    metrics: Registry
  }
}

/** Seconds: from a read by primary key to a typical client timeout. */
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/**
 * Registers the metrics of the API and returns them together with those of the process. Labels are routes, methods and
 * status classes, never ids or personal data.
 */
export function registerMetrics(app: FastifyInstance, db: Db): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  measureRequests(app, registry)
  measurePool(db, registry)
  registerRunMetrics(db, registry)
  return Registry.merge([registry, register]) as Registry
}

function measureRequests(app: FastifyInstance, registry: Registry): void {
  const durations = new Histogram({
    name: 'carillon_http_request_seconds',
    help: 'Time from a request to its response.',
    labelNames: ['method', 'route', 'status'],
    buckets,
    registers: [registry],
  })
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unknown'
    const status = `${Math.floor(reply.statusCode / 100)}xx`
    durations.observe({ method: request.method, route, status }, reply.elapsedTime / 1_000)
  })
}

function measurePool(db: Db, registry: Registry): void {
  new Gauge({
    name: 'carillon_db_connections',
    help: 'Connections of this process to Postgres, and callers waiting for one.',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      for (const [state, count] of Object.entries(poolUsage(db))) this.set({ state }, count)
    },
  })
}
