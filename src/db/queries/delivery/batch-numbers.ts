import { type RawBuilder, sql } from 'kysely'
import type { Channel } from '../../../contract/enums.ts'

/** The number of the next batch of a wave's channel. Under the wave's row lock, so that no two take the same. */
export function nextBatchNumber(waveId: string, channel: Channel) {
  return sql<number>`(select coalesce(max(number) + 1, 0) from batch where wave_id = ${waveId} and channel = ${channel})`
}

/**
 * What cuts people into batches, in three parts of one statement that come in this order. People of a group share channel
 * and locale; `groups` is a relation of channel, locale, count and per_batch, to be read `as runs`: each group with the
 * number of its first batch. They are numbered by locale, from `from` on.
 */
export function batchRanges(groups: RawBuilder<unknown>, from: RawBuilder<number>) {
  return sql`
      select channel, locale, count, per_batch,
        ${from} + sum((count - 1) / per_batch + 1) over (partition by channel order by locale)
          - ((count - 1) / per_batch + 1) as first_batch
      from ${groups}`
}

/** The batch of somebody at a `place` of their group, from 0. */
export const batchAt = sql<number>`first_batch + place / per_batch`

/** Inserts the batches of `runs`. */
export function insertBatches(waveId: string, { repeats }: { repeats: boolean }) {
  return sql`
      insert into batch (wave_id, channel, number, locale, size, repeats)
      select ${waveId}::uuid, channel, first_batch + start / per_batch, locale,
        least(per_batch, count - start), ${sql.lit(repeats)}
      from runs cross join generate_series(0, count - 1, per_batch) as start`
}
