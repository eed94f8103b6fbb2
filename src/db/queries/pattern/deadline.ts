import { sql } from 'kysely'
import type { Trx } from '../../connect.ts'

/**
 * Lets the open runs of a pattern read its changed deadline, the next `most` of one pattern: raises their versions. Returns
 * their ids, to be woken after the commit; null: no deadline has changed.
 *
 * Every run that is open is woken, in the order of their ids, whatever it has read: a row that is written after these runs
 * were selected was read with the new deadline. A deadline that changes meanwhile starts again (`retiming`).
 */
export async function wakeRetimed(trx: Trx, most: number): Promise<string[] | null> {
  const { rows: patterns } = await sql<Retimed>`
    select id, scenario_id as "scenarioId", retiming, retimed_upto as "upTo" from pattern
    where retimed_at is not null order by retimed_at limit 1`.execute(trx)
  const [pattern] = patterns
  if (!pattern) return null
  const { rows } = await sql<{ id: string }>`
    with unaware as (
      select id from scenario_run
      where scenario_id = ${pattern.scenarioId} and closed_at is null
        and (${pattern.upTo}::uuid is null or id > ${pattern.upTo}::uuid)
      order by id limit ${most}
      for no key update
    ),
    woken as (
      update scenario_run as run set version = version + 1, changed_at = clock_timestamp()
      from unaware where run.id = unaware.id
    )
    select id from unaware order by id`.execute(trx)
  const done = rows.length < most
  await sql`
    update pattern set retimed_upto = ${rows.at(-1)?.id ?? pattern.upTo},
      retimed_at = case when ${done} then null else retimed_at end
    where id = ${pattern.id} and retiming = ${pattern.retiming}`.execute(trx)
  return rows.map(({ id }) => id)
}

type Retimed = { id: string; scenarioId: string; retiming: number; upTo: string | null }
