import { type RawBuilder, sql } from 'kysely'
import type { Channel } from '../../../contract/enums.ts'

/** The number of the next batch of a wave's channel. Requires the wave's row lock, so that numbers are unique. */
export function nextBatchNumber(waveId: string, channel: Channel) {
  return sql<number>`(select coalesce(max(number) + 1, 0) from batch where wave_id = ${waveId} and channel = ${channel})`
}

/**
 * Divides people into batches, together with `batchAt` and `insertBatches`, in this order in one statement. The people
 * of a group share channel and locale; `groups` is a relation of channel, locale, count and per_batch. Read the result
 * `as runs`: each group with the number of its first batch. Batches are numbered by locale, starting at `from`.
 */
export function batchRanges(groups: RawBuilder<unknown>, from: RawBuilder<number>) {
  return sql`
      select channel, locale, count, per_batch,
        ${from} + sum((count - 1) / per_batch + 1) over (partition by channel order by locale)
          - ((count - 1) / per_batch + 1) as first_batch
      from ${groups}`
}

/** The batch of the person at `ordinal` (from 0) of their group. */
export const batchAt = sql<number>`first_batch + ordinal / per_batch`

/** Inserts the batches of `runs`. */
export function insertBatches(waveId: string, { repeats }: { repeats: boolean }) {
  return sql`
      insert into batch (wave_id, channel, number, locale, size, repeats)
      select ${waveId}::uuid, channel, first_batch + start / per_batch, locale,
        least(per_batch, count - start), ${sql.lit(repeats)}
      from runs cross join generate_series(0, count - 1, per_batch) as start`
}
