import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Gauge, Histogram, Registry, register } from 'prom-client'
import type { Endpoint, Tag } from '../../contract/endpoint.ts'
import { endpoints } from '../../contract/endpoints.ts'
import { integrationStates, integrations } from '../../contract/enums.ts'
import { type Db, poolUsage } from '../../db/connect.ts'
import { registerProcessMetrics } from '../../metrics/process.ts'
import { type RowSource, registerRowMetrics } from '../../metrics/rows.ts'
import type { Integrations } from '../health.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** The metrics of the API and of its process, served on a port of their own (metrics-server.ts). */
    metrics: Registry
  }
}

/** Seconds: quick, noticed by a person, and slow. */
const buckets = [0.05, 0.25, 1]

/**
 * Registers the metrics of the API and returns them together with those of the process. Labels are resources and status
 * classes, never ids or personal data.
 */
export function registerMetrics(
  app: FastifyInstance,
  rows: RowSource,
  askIntegrations: Integrations,
): Registry {
  const registry = new Registry()
  registerProcessMetrics(registry)
  measureRequests(app, registry)
  measurePool(rows.db, registry)
  measureIntegrations(askIntegrations, registry)
  registerRowMetrics(rows, registry)
  return Registry.merge([registry, register]) as Registry
}

function measureRequests(app: FastifyInstance, registry: Registry): void {
  const durations = new Histogram({
    name: 'carillon_http_request_seconds',
    help: 'Time from a request to its response, by resource and class of status.',
    labelNames: ['resource', 'status'],
    buckets,
    registers: [registry],
  })
  app.addHook('onResponse', async (request, reply) => {
    const status = `${Math.floor(reply.statusCode / 100)}xx`
    durations.observe({ resource: resourceOf(request), status }, reply.elapsedTime / 1_000)
  })
}

/** Chapters that are measured with another: a resource has up to 21 series. */
const measuredWith: Partial<Record<Tag, Tag>> = {
  Handoffs: 'Runs',
  Patterns: 'Scenarios',
  'Recorded events': 'Events',
}

/** The chapter of the API that an operation belongs to; `pages` for all other routes, `none` for paths without one. */
function resourceOf({ routeOptions: { config, url } }: FastifyRequest): string {
  if (!config.operation) return url === undefined ? 'none' : 'pages'
  const { tag }: Endpoint = endpoints[config.operation]
  return (measuredWith[tag] ?? tag).toLowerCase().replaceAll(/\W/g, '_')
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

/** 1 for the state that each integration is in, 0 for the others. */
function measureIntegrations(ask: Integrations, registry: Registry): void {
  new Gauge({
    name: 'carillon_integrations',
    help: 'Whether an integration is in this state (ok, unavailable, misconfigured, not_configured): 1 or 0.',
    labelNames: ['integration', 'state'],
    registers: [registry],
    async collect() {
      const states = await ask()
      for (const integration of integrations)
        for (const state of integrationStates)
          this.set({ integration, state }, states[integration] === state ? 1 : 0)
    },
  })
}
