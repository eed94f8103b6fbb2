import { createRequire } from 'node:module'
import { collectDefaultMetrics, Gauge, type Registry } from 'prom-client'

/** The version of this installation, of package.json. */
export const { version } = createRequire(import.meta.url)('../../package.json') as { version: string }

/** Registers the metrics of any process of Carillon: its memory, CPU and event loop, and what it is. */
export function registerProcessMetrics(registry: Registry): void {
  collectDefaultMetrics({ register: registry })
  new Gauge({
    name: 'carillon_build_info',
    help: 'The version of Carillon and of Node that this process runs; always 1.',
    labelNames: ['version', 'node'],
    registers: [registry],
  }).set({ version, node: process.version }, 1)
}
