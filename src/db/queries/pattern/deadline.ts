import { sql } from 'kysely'
import type { Trx } from '../../connect.ts'

/**
 * Lets the open runs of a pattern read its changed deadline, the next `most` of one pattern: raises their versions. Returns
 * their ids, to be woken after the commit; null: no deadline has changed.
 */
export async function wakeRetimed(trx: Trx, most: number): Promise<string[] | null> {
  const { rows: patterns } = await sql<{ id: string; scenarioId: string; retimedAt: string }>`
    select id, scenario_id as "scenarioId", retimed_at::text as "retimedAt" from pattern
    where retimed_at is not null order by retimed_at limit 1`.execute(trx)
  const [pattern] = patterns
  if (!pattern) return null
  const { rows } = await sql<{ id: string }>`
    with late as (
      select id from scenario_run
      where scenario_id = ${pattern.scenarioId} and closed_at is null and changed_at < ${pattern.retimedAt}::timestamptz
      order by id limit ${most}
      for no key update
    )
    update scenario_run as run set version = version + 1, changed_at = clock_timestamp()
    from late where run.id = late.id
    returning run.id`.execute(trx)
  if (rows.length < most)
    await sql`
      update pattern set retimed_at = null where id = ${pattern.id} and retimed_at = ${pattern.retimedAt}::timestamptz`.execute(
      trx,
    )
  return rows.map(({ id }) => id)
}
