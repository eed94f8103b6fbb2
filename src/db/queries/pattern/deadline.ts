import { sql } from 'kysely'
import type { Db, Trx } from '../../connect.ts'
import { unplanned } from '../../rows.ts'

/** A pattern with another deadline, which its open runs up to `upTo` have learned. */
type Retimed = { id: string; scenarioId: string; retiming: number; upTo: string | null }

/** The pattern whose deadline changed first, of those whose runs do not all know it. */
export async function findRetimed(db: Db): Promise<Retimed | undefined> {
  const { rows } = await sql<Retimed>`
    select id, scenario_id as "scenarioId", retiming, retimed_upto as "upTo" from pattern
    where retimed_at is not null order by retimed_at limit 1`.execute(db)
  return rows[0]
}

/**
 * Lets the next `most` open runs of a pattern read its changed deadline: raises their versions. Returns their ids, to be
 * woken after the commit.
 *
 * Every run that is open is woken, in the order of their ids, whatever it has read: a row that is written after these runs
 * were selected was read with the new deadline. A deadline that changes meanwhile starts again (`retiming`).
 */
export async function wakeRetimed(trx: Trx, pattern: Retimed, most: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with unaware as (
      select id from scenario_run
      where scenario_id = ${pattern.scenarioId} and closed_at is null
        ${pattern.upTo === null ? sql`` : sql`and id > ${pattern.upTo}`}
      order by id limit ${unplanned(most)}
      for no key update
    ),
    woken as (
      update scenario_run as run set version = version + 1, changed_at = clock_timestamp()
      where id = any(array(select id from unaware))
    )
    select id from unaware order by id`.execute(trx)
  const done = rows.length < most
  await sql`
    update pattern set retimed_upto = ${rows.at(-1)?.id ?? pattern.upTo},
      retimed_at = case when ${done} then null else retimed_at end
    where id = ${pattern.id} and retiming = ${pattern.retiming}`.execute(trx)
  return rows.map(({ id }) => id)
}

/** Lets the other patterns go first, after one whose runs could not be woken. */
export async function deferRetimed(db: Db, { id, retiming }: Retimed): Promise<void> {
  await sql`
    update pattern set retimed_at = clock_timestamp()
    where id = ${id} and retiming = ${retiming} and retimed_at is not null`.execute(db)
}
