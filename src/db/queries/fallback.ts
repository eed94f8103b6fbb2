import { sql } from 'kysely'
import type { Channel } from '../../domain/channel-plan.ts'
import type { Trx } from '../connect.ts'
import { type GateSpec, gateJoins, verdict } from './audience/gates.ts'

/** Which of these people can be reached another way, and on which of `ways`, the first that is open to them. */
export async function openElsewhere(
  trx: Trx,
  ways: readonly Channel[],
  subjectIds: string[],
  rules: GateSpec,
): Promise<{ subjectId: string; channel: Channel }[]> {
  const spec = { ...rules, frequencyCap: null } // was decided when the rows were written
  const cases = ways.map((way) => sql`when ${verdict(spec, way)} is null then ${sql.lit(way)}`)
  const { rows } = await sql<{ subjectId: string; channel: Channel | null }>`
    select person.id as "subjectId", case ${sql.join(cases, sql` `)} end as channel
    from unnest(${subjectIds}::uuid[]) as person (id)
      ${gateJoins(spec, ways)}
    order by person.id
  `.execute(trx)
  return rows.flatMap(({ subjectId, channel }) => (channel ? [{ subjectId, channel }] : []))
}

/** People of a wave who are to be told on another channel. */
export type Fallback = { waveId: string; channel: Channel; locale: string; subjectIds: string[] }

/** Makes their deliveries and batches on that channel; so many more are expected. Under the wave's lock. */
export async function insertFallback(trx: Trx, fallback: Fallback, perBatch: number): Promise<void> {
  const { waveId, channel, locale, subjectIds } = fallback
  const more = subjectIds.length
  const none = JSON.stringify({ sent: 0, failed: 0, unknown: 0, skipped: {}, expected: 0 })
  await sql`
    with base as materialized (
      select coalesce(max(number) + 1, 0) as number from batch where wave_id = ${waveId} and channel = ${channel}
    ),
    inserted as (
      insert into delivery (wave_id, subject_id, channel, batch, state)
      select ${waveId}::uuid, subject_id, ${channel}, base.number + (place - 1) / ${perBatch}::int, 'pending'
      from unnest(${subjectIds}::uuid[]) with ordinality as member (subject_id, place), base
    ),
    batched as (
      insert into batch (wave_id, channel, number, locale, size)
      select ${waveId}::uuid, ${channel}, base.number + start / ${perBatch}::int, ${locale},
        least(${perBatch}::int, ${more}::int - start)
      from generate_series(0, ${more}::int - 1, ${perBatch}::int) as start, base
    )
    update wave
    set expected = expected + ${more}::int,
      by_channel = jsonb_set(
        by_channel || jsonb_build_object(${channel}::text, coalesce(by_channel -> ${channel}, ${none}::jsonb)),
        array[${channel}, 'expected']::text[],
        to_jsonb(coalesce((by_channel -> ${channel} ->> 'expected')::int, 0) + ${more}::int)
      )
    where id = ${waveId}
  `.execute(trx)
}
