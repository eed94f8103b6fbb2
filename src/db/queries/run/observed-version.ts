import { type RawBuilder, sql } from 'kysely'
import type { Problem } from '../../../contract/enums.ts'
import type { RunName } from '../../../domain/run/run-kinds.ts'
import type { Db } from '../../connect.ts'
import { milliseconds } from '../../interval.ts'
import { tableOf } from './union-of-kinds.ts'

/** When a run must act next: at `at` (ISO), or `inMs` from now; null: not by itself. */
export type NextWakeup = { at: string } | { inMs: number } | null

/**
 * Records the version of its row that a run observed, and when it must act next; clears what counted its silence.
 * `problemAfter`: the row's problem, since the step is tried again; 'parked': the run waits because its step kept
 * failing, and the row keeps its problem. Returns false if the row has changed since: the decision is then outdated.
 */
export async function recordObservedVersion(
  db: Db,
  { kind, id }: RunName,
  version: number,
  next: NextWakeup,
  problemAfter: RawBuilder<Problem | null> | 'parked' = sql`nullif(problem, 'internal')`,
): Promise<boolean> {
  const step = problemAfter === 'parked' ? sql`` : sql`, step_parked_at = null, problem = ${problemAfter}`
  const { numAffectedRows } = await sql`
    update ${tableOf(kind)} set observed_version = version, next_wakeup_at = ${momentOf(next)}, woken_at = null,
      wake_count = 0, wedged_at = null, wedged_failures = 0, step_failures = 0${step}
    where id = ${id} and version = ${version}`.execute(db)
  return numAffectedRows === 1n
}

/** The same as columns of a message's move by its run, which leads to `version` and has seen the row under its lock. */
export function observedWith(version: number, next: NextWakeup) {
  return {
    observed_version: version,
    next_wakeup_at: momentOf(next),
    woken_at: null,
    wake_count: 0,
    wedged_at: null,
    wedged_failures: 0,
    step_failures: 0,
  }
}

function momentOf(next: NextWakeup): RawBuilder<Date | null> {
  if (next === null) return sql`null`
  return 'at' in next ? sql`${next.at}::timestamptz` : sql`now() + ${milliseconds(next.inMs)}`
}
