import { sql } from 'kysely'
import { limits } from '../../../contract/limits.ts'
import type { Db } from '../../connect.ts'

/**
 * A caller's window after a request. `waitMs`: until the next request is admitted; 0 if one is admitted now. `resetMs`: until
 * all requests are, if none is made before.
 */
export type Window = { admitted: boolean; remaining: number; waitMs: number; resetMs: number }

const length = sql`make_interval(secs => ${sql.lit(limits.rateWindowSeconds)})`

/**
 * Counts a request against its caller's rolling window across all processes, in one statement: the row's lock orders
 * requests, and the clock is read under it. A rejected request is not counted.
 */
export async function countRequest(db: Db, caller: string, most: number): Promise<Window> {
  const { rows } = await sql<Window>`
    insert into rate_window as w (caller, hits, admitted) values (${caller}, array[clock_timestamp()], true)
    on conflict (caller) do update set (hits, admitted) = (
      select case when cardinality(live) < ${most} then live || now else live end, cardinality(live) < ${most}
      from (
        select now, array(select hit from unnest(w.hits) as hit where hit > now - ${length}) as live
        from (select clock_timestamp() as now) as clock
      ) as rolled
    )
    returning admitted, greatest(${most} - cardinality(hits), 0) as remaining, coalesce(greatest(extract(
      epoch from hits[cardinality(hits) - ${most} + 1] + ${length} - clock_timestamp()
    ) * 1000, 0), 0)::float8 as "waitMs", coalesce(greatest(extract(
      epoch from hits[cardinality(hits)] + ${length} - clock_timestamp()
    ) * 1000, 0), 0)::float8 as "resetMs"
  `.execute(db)
  return rows[0]!
}

/** Deletes callers without requests within the window. */
export async function deleteIdleCallers(db: Db): Promise<void> {
  await sql`delete from rate_window where hits[cardinality(hits)] < clock_timestamp() - ${length}`.execute(db)
}

/** The steps of rendering of a unit: those to charge, or those in its bucket. */
type UnitSteps = { unitId: string; steps: number }

/**
 * Adds steps to the buckets of units, which empty by `perMinute`, in one statement; returns what is in them then. Rows are
 * locked in the order of their units, since every process charges several.
 */
export async function chargeSteps(db: Db, charges: UnitSteps[], perMinute: number): Promise<UnitSteps[]> {
  const sorted = charges.toSorted((one, other) => (one.unitId < other.unitId ? -1 : 1))
  const { rows } = await sql<UnitSteps>`
    insert into render_steps as bucket (unit_id, steps, counted_at)
    select unit_id, steps, clock_timestamp()
    from unnest(${sorted.map(({ unitId }) => unitId)}::uuid[], ${sorted.map(({ steps }) => steps)}::float8[])
      as charged (unit_id, steps)
    on conflict (unit_id) do update set counted_at = excluded.counted_at, steps = excluded.steps + greatest(0,
      bucket.steps - ${perMinute}::float8 / 60 * extract(epoch from excluded.counted_at - bucket.counted_at)::float8)
    returning unit_id as "unitId", steps
  `.execute(db)
  return rows
}
