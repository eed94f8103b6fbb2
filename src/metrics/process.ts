import { collectDefaultMetrics, Gauge, type Registry } from 'prom-client'
import { version } from '../version.ts'

/** A series for each of V8's thirteen spaces; the sums of all are among the others. */
const inDetail = ['total', 'used', 'available'].map((what) => `nodejs_heap_space_size_${what}_bytes`)

/** Registers the metrics of any process of Carillon: its memory, CPU and event loop, and what it is. */
export function registerProcessMetrics(registry: Registry): void {
  collectDefaultMetrics({ register: registry })
  for (const name of inDetail) registry.removeSingleMetric(name)
  new Gauge({
    name: 'carillon_build_info',
    help: 'The version of Carillon and of Node that this process runs; always 1.',
    labelNames: ['version', 'node'],
    registers: [registry],
  }).set({ version, node: process.version }, 1)
}
