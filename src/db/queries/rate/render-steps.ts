import { sql } from 'kysely'
import type { Db } from '../../connect.ts'

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
