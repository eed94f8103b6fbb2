import { sql } from 'kysely'
import type { Installation } from './installation.ts'
import type { PlannedMessage, Times } from './producer.ts'

/**
 * Moves the times of open messages, as if they had been planned so: a test prepares everything with distant times,
 * however long that takes, and then moves them near. Counts as a change of the rows: a run that is just reading its row
 * reads it again, instead of recording when it would have acted by the times of before. Timers that runs have set stay:
 * the reconciler wakes them; `carillon reconcile` (src/db/queries/run/reconcile.ts) wakes all at once.
 */
export async function reschedule(
  { db }: Installation,
  messages: PlannedMessage[],
  { scheduleAt, remindAt, expiresAt }: Omit<Times, 'texts'>,
): Promise<void> {
  const moved = sql`
    schedule_at = coalesce(${momentOf(scheduleAt)}, schedule_at),
    remind_at = coalesce(${momentOf(remindAt)}, remind_at),
    expires_at = coalesce(${momentOf(expiresAt)}, expires_at)`
  const next = sql`least(${momentOf(scheduleAt)}, ${momentOf(remindAt)}, ${momentOf(expiresAt)}, next_wakeup_at)`
  await sql`
    update message set ${moved}, next_wakeup_at = case when next_wakeup_at is not null then ${next} end,
      version = version + 1, changed_at = clock_timestamp()
    where id = any(${messages.map(({ id }) => id)}::uuid[])`.execute(db)
  for (const { body } of messages) {
    if (scheduleAt !== undefined) body.scheduleAt = new Date(scheduleAt).toISOString()
    if (remindAt !== undefined) body.remindAt = new Date(remindAt).toISOString()
    if (expiresAt !== undefined) body.expiresAt = new Date(expiresAt).toISOString()
  }
}

function momentOf(ms: number | undefined) {
  return sql`${ms === undefined ? null : new Date(ms).toISOString()}::timestamptz`
}

/** So far ahead of a test that nothing comes before it is ready, ms since the epoch. */
export function farAhead(): number {
  return Date.now() + 2 * 3_600_000
}
