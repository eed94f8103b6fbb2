import { sql } from 'kysely'
import type { RunName } from '../../../domain/run/run-kinds.ts'
import type { Db } from '../../connect.ts'
import { milliseconds } from '../../interval.ts'
import type { RunToWake } from './reconcile.ts'
import { tableOf } from './union-of-kinds.ts'

/** When a wedged run is restarted: both so many failed workflow tasks and so much time since it was marked (ms). */
const wedgedLimits = { failures: 20, ms: 600_000 }

/** A wedged run: its failed workflow tasks, and whether that has lasted until both limits. */
type WedgedRun = { failures: number; lasting: boolean }

/**
 * Marks a run whose code keeps failing as wedged, and adds its latest failures; its next observed version clears both.
 * Undefined if the run has observed its row since it was taken.
 */
export async function recordTaskFailures(
  db: Db,
  { kind, id, wakes }: Pick<RunToWake, 'kind' | 'id' | 'wakes'>,
  failures: number,
): Promise<WedgedRun | undefined> {
  const { rows } = await sql<WedgedRun>`
    update ${tableOf(kind)}
    set wedged_at = coalesce(wedged_at, clock_timestamp()), wedged_failures = wedged_failures + ${failures}::int
    where id = ${id} and wake_count = ${wakes}
    returning wedged_failures as failures, wedged_failures >= ${wedgedLimits.failures}::int
      and wedged_at <= clock_timestamp() - ${milliseconds(wedgedLimits.ms)} as lasting`.execute(db)
  return rows[0]
}

/** Records that a wedged run is about to be ended: Temporal may end it without an answer. */
export async function recordRunRestart(db: Db, { kind, id }: RunName): Promise<void> {
  await sql`update ${tableOf(kind)} set run_restarted_at = clock_timestamp() where id = ${id}`.execute(db)
}

/** Starts the limits again, for the next run. The row stays marked until that run observes it. */
export async function resetWedged(db: Db, { kind, id }: RunName): Promise<void> {
  await sql`
    update ${tableOf(kind)} set wedged_at = clock_timestamp(), wedged_failures = 0
    where id = ${id} and wedged_at is not null`.execute(db)
}
