import { sql } from 'kysely'
import type { Db } from '../../connect.ts'
import { milliseconds } from '../../interval.ts'
import type { RunToWake } from './reconcile.ts'

/** When a wedged run begins anew: both so many failed workflow tasks and so much time since it was marked (ms). */
export const wedgedLimits = { failures: 20, ms: 600_000 }

/** A wedged run: its failed workflow tasks, and whether that has lasted until both limits. */
export type WedgedRun = { failures: number; lasting: boolean }

/**
 * Marks a run whose code keeps failing as wedged, and adds its latest failures; its next observed version clears both.
 * Undefined if the run has observed its row since it was taken.
 */
export async function recordTaskFailures(
  db: Db,
  { id, wakes }: Pick<RunToWake, 'id' | 'wakes'>,
  failures: number,
): Promise<WedgedRun | undefined> {
  return db
    .updateTable('message')
    .set(({ eb }) => ({
      wedged_at: sql<Date>`coalesce(wedged_at, clock_timestamp())`,
      wedged_failures: eb('wedged_failures', '+', failures),
    }))
    .where('id', '=', id)
    .where('wake_count', '=', wakes)
    .returning('wedged_failures as failures')
    .returning(
      sql<boolean>`wedged_failures >= ${wedgedLimits.failures}::int
        and wedged_at <= clock_timestamp() - ${milliseconds(wedgedLimits.ms)}`.as('lasting'),
    )
    .executeTakeFirst()
}

/** Records that a wedged run is about to be ended: Temporal may end it without an answer. */
export async function recordRunRestart(db: Db, messageId: string): Promise<void> {
  await db
    .updateTable('message')
    .set({ run_restarted_at: sql<Date>`clock_timestamp()` })
    .where('id', '=', messageId)
    .execute()
}

/** Begins the limits anew, for the next run. The message stays marked until that run observes its row. */
export async function beginLimitsAnew(db: Db, messageId: string): Promise<void> {
  await db
    .updateTable('message')
    .set({ wedged_at: sql<Date>`clock_timestamp()`, wedged_failures: 0 })
    .where('id', '=', messageId)
    .where('wedged_at', 'is not', null)
    .execute()
}
