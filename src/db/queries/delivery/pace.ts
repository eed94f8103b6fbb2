import { type RawBuilder, sql } from 'kysely'
import type { Channel } from '../../../contract/enums.ts'
import type { Pace } from '../../../domain/message/pace.ts'

/** How late a batch of a paced wave may be, before those after it move as well. */
const toleratedDelay = sql.lit('5 seconds')

/**
 * The pace of a wave as the expression `pace`: seconds from one delivery to the next, and the moment of the first.
 * `groups`: a relation with the count of people of each group and its verdict.
 */
export function paceOf(pace: Pace): RawBuilder<unknown> {
  const each =
    'perMinute' in pace
      ? sql`60.0 / ${pace.perMinute}::float8`
      : sql`(select ${pace.overSeconds}::float8 / greatest(sum(count), 1) from groups where verdict is null)`
  return sql`
    pace as materialized (select ${each} as each, clock_timestamp() as start),`
}

/** The greatest batch at a pace: a tenth of what goes in a minute, so that no minute has more than a tenth too many. */
export const pacedBatch = sql<number>`greatest(least(per_batch, floor(6 / each)), 1)::int`

/**
 * Inserts the batches of `runs`, each at its time: languages and channels take turns by their share, so that all of them
 * end together. A batch begins once those before it have had their time.
 */
export function insertPacedBatches(waveId: string) {
  return sql`
      insert into batch (wave_id, channel, number, locale, size, repeats, not_before)
      select ${waveId}::uuid, channel, number, locale, size, false,
        start + make_interval(secs => each * (sum(size) over (order by share, channel, locale) - size)::float8)
      from pace cross join (
        select channel, locale, first_batch + first / per_batch as number, least(per_batch, count - first) as size,
          first::float8 / count as share
        from runs cross join generate_series(0, count - 1, per_batch) as first
      ) as one`
}

/**
 * What a claim of a paced wave adds: if the batch is late because nothing was sent for a while, those after it move by as
 * much, so that they do not come all at once.
 */
export function movesLater(waveId: string, channel: Channel) {
  return sql`,
    moved as (
      update batch set not_before = batch.not_before + (sending.now - free.not_before)
      from free, sending
      where sending.now - free.not_before > ${toleratedDelay}::interval and free.tries = 0
        and batch.wave_id = ${waveId} and batch.state = 'open' and batch.tries = 0 and batch.claimed_by is null
        and (batch.channel, batch.number) <> (${channel}, free.number)
    )`
}
