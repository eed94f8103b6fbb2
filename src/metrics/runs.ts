import { Counter } from 'prom-client'
import { isOneOf, type MessageState, type RunState, type ScheduleState } from '../contract/enums.ts'
import { allRunKinds, type RunKind } from '../domain/run/run-kinds.ts'

/** The states in which a run ends, by kind. */
const ends = {
  message: ['sent', 'failed', 'rejected', 'cancelled', 'stopped', 'expired'],
  scenario: ['done', 'failed', 'cancelled'],
  schedule: ['finished', 'deleted'],
} as const satisfies {
  message: readonly MessageState[]
  scenario: readonly RunState[]
  schedule: readonly ScheduleState[]
}

/**
 * Runs that have recorded that their row is closed, which is their last step (docs/design/observing.md). A step that a
 * worker repeats finds its record.
 */
const endedRuns = new Counter({
  name: 'carillon_runs_ended_total',
  help: 'Runs that have ended, by kind and outcome (the state of the row).',
  labelNames: ['kind', 'outcome'],
})
for (const kind of allRunKinds) for (const outcome of ends[kind]) endedRuns.inc({ kind, outcome }, 0)

/** Counts a run whose row has just recorded its end. */
export function countRunEnd(kind: RunKind, outcome: string): void {
  if (isOneOf(ends[kind], outcome)) endedRuns.inc({ kind, outcome })
}
