import { sql } from 'kysely'
import type { Db } from '../connect.ts'

/** Longer than this an event waits only where something is wrong (s). */
const lateAfterSeconds = 60

/** Events of channels that should have been worked off by now, those that were given up, and those that say nothing. */
export async function countWebhookEvents(
  db: Db,
): Promise<{ late: number; failed: number; unreadable: number }> {
  const { rows } = await sql<{ late: number; failed: number; unreadable: number }>`
    select (select count(*) from webhook_event where done_at is null
        and received_at < clock_timestamp() - make_interval(secs => ${lateAfterSeconds}))::integer as late,
      (select count(*) from webhook_event where outcome = 'failed')::integer as failed,
      (select count(*) from webhook_event where outcome = 'unreadable')::integer as unreadable
  `.execute(db)
  return rows[0]!
}
