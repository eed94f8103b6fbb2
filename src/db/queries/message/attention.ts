import { sql } from 'kysely'
import type { Db } from '../../connect.ts'

/** How many messages of a unit are looked at, the newest, and how many days back. */
const [newest, days] = [2_000, 30]
/** How long one that has ended is shown: whoever has not done anything about it by then does not want to. */
export const attentionDays = 7

/**
 * Messages of these units that somebody must look at: those that wait, and of the last days those that have failed and those
 * of `actor` that were rejected. The newest first.
 */
export async function findAttention(
  db: Db,
  unitIds: readonly string[],
  actor: string,
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select found.id from unnest(${unitIds}::uuid[]) as own (unit_id) cross join lateral (
      select id, state, problem, created_at, created_by, changed_at from message
      where message.unit_id = own.unit_id order by id desc limit ${sql.lit(newest)}) as found
    where created_at > now() - make_interval(days => ${sql.lit(days)})
      and (problem is not null or changed_at > now() - make_interval(days => ${sql.lit(attentionDays)})
        and (state = 'failed' or state = 'rejected' and created_by = ${actor}))
    order by found.id desc limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}
