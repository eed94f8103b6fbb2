import { Counter, Histogram } from 'prom-client'
import { type LookupError, lookupErrors } from '../contract/enums.ts'

/** What this process has looked up, counted after the commit of each outcome. */

const outcomes = ['found', ...lookupErrors] as const

const lookups = new Counter({
  name: 'carillon_lookups_total',
  help: 'Lookups with an outcome, by outcome (found, timeout, status, shape, size, network).',
  labelNames: ['outcome'],
})
for (const outcome of outcomes) lookups.inc({ outcome }, 0)

const lookupSeconds = new Histogram({
  name: 'carillon_lookup_seconds',
  help: 'Time of a Lookup, from opening the connection to the end of the answer.',
  buckets: [0.05, 0.2, 1, 2.5, 5],
})

export function countLookup(outcome: 'found' | LookupError): void {
  lookups.inc({ outcome })
}

/** Records the time of one call, from `startedAt` (performance.now()) to now. */
export function observeLookup(startedAt: number): void {
  lookupSeconds.observe((performance.now() - startedAt) / 1_000)
}
