import { inFullCounts } from '../../../harness/timeouts.ts'
import type { FaultName } from '../faults.ts'
import { writeMeasured } from '../reliability.ts'

/** A fault may be tested in several ways; their measurements are combined. */
const measurements = new Map<FaultName, string[]>()

/** Prints a fault test's measurement in one line; a run in full counts also writes it to docs/reliability.md. */
export function recordMeasurement(fault: FaultName, what: string): void {
  process.stdout.write(`measured, ${fault}: ${what}\n`)
  const all = [...(measurements.get(fault) ?? []), what]
  measurements.set(fault, all)
  if (inFullCounts) writeMeasured(fault, all.join('<br>'))
}

/** 1234.5 → "1.2 s" */
export function secondsOf(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}

/** The middle and the largest of some times in ms, in words. */
export function spread(times: number[]): string {
  const sorted = times.toSorted((a, b) => a - b)
  const middle = sorted[Math.floor((sorted.length - 1) / 2)] ?? 0
  return `median ${secondsOf(middle)}, longest ${secondsOf(sorted.at(-1) ?? 0)}`
}
