import { type RawBuilder, sql } from 'kysely'
import type { Trend } from '../../../contract/metrics/trend.ts'
import type { Db, Trx } from '../../connect.ts'

/** A day of a unit, in its time zone. */
export type UnitDay = { unitId: string; date: string }

/** Brings days up to date with their waves. */
export async function writeDays(trx: Trx, days: UnitDay[]): Promise<void> {
  await sql`
    insert into day_metric (unit_id, date, sent, reached, read)
    select unit_id, date, coalesce(sum(sent), 0), coalesce(sum(reached), 0), coalesce(sum(read), 0)
    from (${listOf(days)}) as day left join wave_metric using (unit_id, date) group by unit_id, date
    on conflict (unit_id, date) do update set sent = excluded.sent, reached = excluded.reached, read = excluded.read
  `.execute(trx)
}

/** Days as rows of SQL, each once. */
export function listOf(days: UnitDay[]): RawBuilder<unknown> {
  return sql`select distinct unit_id, date
    from unnest(${days.map(({ unitId }) => unitId)}::uuid[], ${days.map(({ date }) => date)}::date[]) as each (unit_id, date)`
}

/** A unit's closed nights among its last `days` days before today, oldest first. Read from the primary key. */
export async function readTrend(db: Db, unitId: string, days: number): Promise<Trend> {
  const { rows } = await sql<Trend['points'][number]>`
    select date, sent, people, reached, read, coalesce(blocked, 0) as blocked,
      coalesce(unsubscribes, 0) as unsubscribes, coalesce(handoffs, 0) as handoffs, coalesce(answers, 0) as answers,
      coalesce(completed, 0) as completed
    from unit join day_metric on unit_id = unit.id
    where unit.id = ${unitId} and closed_at is not null
      and date >= (clock_timestamp() at time zone time_zone)::date - ${days}::int
    order by date
  `.execute(db)
  return { points: rows }
}
