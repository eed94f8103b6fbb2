import { sql } from 'kysely'
import type { Jumps } from '../../../domain/scenario/jumps.ts'
import type { Db, Trx } from '../../connect.ts'

/** A scenario to which others lead by their jumps: how its version in force leads on, or its newest if none is. */
export type LedTo = { inForce: boolean; name: string; jumps: Jumps }

/**
 * The scenarios of a unit that jumps lead to from these, directly or through others, by id; retired ones are left out. One
 * statement, and without what they say: it reads as many rows as there are scenarios on the way, and ends with the first
 * beyond `most`.
 */
export async function findLedTo(
  db: Db,
  unitId: string,
  ids: readonly string[],
  most: number,
): Promise<Map<string, LedTo>> {
  const { rows } = await sql<LedTo & { id: string }>`
    with recursive led (id) as (
      select unnest(${ids}::uuid[])
      union
      select case when target.id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then target.id::uuid end
      from led
        join scenario on scenario.id = led.id and scenario.unit_id = ${unitId} and scenario.state <> 'retired'
        cross join lateral (${currentVersion}) as version
        cross join lateral jsonb_array_elements(version.jumps -> 'jumps') as jump
        cross join lateral (select lower(jump ->> 'to') as id) as target
    )
    select scenario.id, version.state = 'in_force' as "inForce", version.name, version.jumps
    from (select id from led where id is not null limit ${most + 1}) as led
      join scenario on scenario.id = led.id and scenario.unit_id = ${unitId} and scenario.state <> 'retired'
      cross join lateral (${currentVersion}) as version`.execute(db)
  return new Map(rows.map(({ id, ...ledTo }) => [id, ledTo]))
}

/** The version of a `scenario` that new runs follow, or its newest if none is in force. */
const currentVersion = sql`select each.* from scenario_version as each where each.scenario_id = scenario.id
          order by each.state = 'in_force' desc, each.version desc limit 1`

/**
 * Lets one version with jumps at a time come in force in a unit, until the transaction ends, so that two of them cannot
 * close a circle of which neither sees the other. Lock order: after the row of its scenario.
 */
export async function lockJumps(trx: Trx, unitId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`jumps ${unitId}`}, 0))`.execute(trx)
}
