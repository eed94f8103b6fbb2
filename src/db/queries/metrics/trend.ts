import { sql } from 'kysely'
import type { Trend } from '../../../contract/metrics/trend.ts'
import type { Db } from '../../connect.ts'

/** A unit's closed nights among its last `days` days before today, oldest first. Read from the primary key. */
export async function readTrend(db: Db, unitId: string, days: number): Promise<Trend> {
  const { rows } = await sql<Trend['points'][number]>`
    select date, sent, people, reached, read, coalesce(blocked, 0) as blocked,
      coalesce(unsubscribes, 0) as unsubscribes, handoffs, coalesce(answers, 0) as answers,
      coalesce(completed, 0) as completed
    from unit join day_metric on unit_id = unit.id
    where unit.id = ${unitId} and closed_at is not null
      and date >= (clock_timestamp() at time zone time_zone)::date - ${days}::int
    order by date
  `.execute(db)
  return { points: rows }
}
