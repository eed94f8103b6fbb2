import { sql } from 'kysely'
import type { Problem, ScheduleState } from '../../../contract/enums.ts'
import type { Db } from '../../connect.ts'
import { type NextWakeup, recordObservedVersion } from '../run/observed-version.ts'
import { stepRetryAt } from '../run/step-failure.ts'

/** What the Temporal UI shows of a schedule besides the step: ids, enum values and times. */
export type ScheduleView = {
  version: number
  unitId: string
  categoryId: string
  state: ScheduleState
  problem: Problem | null
  /** Instant in ISO 8601; null: it is not due again. */
  nextAt: string | null
  /** Refused and failed occurrences in a row. */
  failures: number
}

/**
 * A schedule as its run observes it, read at `now` (ms since the epoch, Postgres' clock, as are the others). `isNew`: for
 * the first time. `dueAt`: null if it is disabled. `retryAt`: when a step that kept failing is tried again; null: none is.
 */
type ObservedSchedule = {
  now: number
  closed: boolean
  dueAt: number | null
  retryAt: number | null
  isNew: boolean
  view: ScheduleView
}

/** Reads a schedule for its run; undefined if it does not exist. */
export async function observeSchedule(db: Db, scheduleId: string): Promise<ObservedSchedule | undefined> {
  const row = await db
    .selectFrom('schedule as s')
    .select([
      's.version',
      's.observed_version',
      's.unit_id',
      's.category_id',
      's.state',
      's.problem',
      's.next_at',
      's.failures',
    ])
    .select(stepRetryAt('s').as('retry_at'))
    .select(sql<Date>`clock_timestamp()`.as('now'))
    .where('s.id', '=', scheduleId)
    .executeTakeFirst()
  if (!row) return undefined
  const { version, unit_id: unitId, category_id: categoryId, state, problem, failures } = row
  return {
    closed: state === 'finished' || state === 'deleted',
    dueAt: row.next_at?.getTime() ?? null,
    retryAt: row.retry_at?.getTime() ?? null,
    now: row.now.getTime(),
    isNew: row.observed_version < version,
    view: {
      version,
      unitId,
      categoryId,
      state,
      problem,
      failures,
      nextAt: row.next_at?.toISOString() ?? null,
    },
  }
}

/** Records what a run observed; false if the schedule has changed since. */
export function recordObservedSchedule(
  db: Db,
  id: string,
  version: number,
  next: NextWakeup,
  { stepParked }: { stepParked: boolean },
): Promise<boolean> {
  return recordObservedVersion(db, { kind: 'schedule', id }, version, next, stepParked ? 'parked' : undefined)
}

/** Lets the step of a schedule that kept failing be tried now. Returns whether it was held back. */
export async function retrySchedule(db: Db, id: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('schedule')
    .set({
      step_parked_at: null,
      step_failures: 0,
      version: sql<number>`version + 1`,
      changed_at: sql<Date>`clock_timestamp()`,
    })
    .where('id', '=', id)
    .where('closed_at', 'is', null)
    .where('step_parked_at', 'is not', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
