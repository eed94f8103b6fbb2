import { sql } from 'kysely'
import type { Db } from '../connect.ts'

/** Longer than this an event waits for its outcome only where something is wrong (s). */
const lateAfterSeconds = 60

/** Events that should have been worked off by now, and those whose outcome is a fault of ours. */
export async function countEvents(db: Db): Promise<{ late: number; failed: number }> {
  const { rows } = await sql<{ late: number; failed: number }>`
    select (select count(*) from event where message_id is null and error is null
        and received_at < clock_timestamp() - make_interval(secs => ${lateAfterSeconds}))::integer as late,
      (select count(*) from event where error = 'internal')::integer as failed
  `.execute(db)
  return rows[0]!
}
