import { sql } from 'kysely'
import type { Db } from '../../connect.ts'

/** How many patterns of a unit are looked at, the newest. */
const newest = 500

/** Patterns of these units whose newest version was rejected in the last `days`, and `actor` wrote. The newest first. */
export async function findRejectedPatterns(
  db: Db,
  unitIds: readonly string[],
  actor: string,
  { limit, days }: { limit: number; days: number },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select found.id from unnest(${unitIds}::uuid[]) as own (unit_id)
      cross join lateral (
        select id, scenario_id from pattern where pattern.unit_id = own.unit_id order by id desc limit ${sql.lit(newest)}
      ) as found
      cross join lateral (
        select state, decided_at, authors from scenario_version
        where scenario_version.scenario_id = found.scenario_id order by version desc limit 1
      ) as version
    where version.state = 'rejected' and ${actor} = any(version.authors)
      and version.decided_at > now() - make_interval(days => ${days})
    order by found.id desc limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}
