import { sql } from 'kysely'
import type { Db } from '../../connect.ts'

/** How many messages of a unit are looked at, the newest, and how many days back. */
const [newest, days] = [2_000, 30]

/**
 * Messages of these units that somebody must look at: those that wait or have failed, and those of `actor` that were
 * rejected. The newest first.
 */
export async function findAttention(
  db: Db,
  unitIds: readonly string[],
  actor: string,
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select found.id from unnest(${unitIds}::uuid[]) as own (unit_id) cross join lateral (
      select id, state, problem, created_at, created_by from message
      where message.unit_id = own.unit_id order by id desc limit ${sql.lit(newest)}) as found
    where created_at > now() - make_interval(days => ${sql.lit(days)})
      and (problem is not null or state = 'failed' or (state = 'rejected' and created_by = ${actor}))
    order by found.id desc limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}
