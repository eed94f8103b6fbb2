import { type RawBuilder, sql } from 'kysely'
import type { SkipReason } from '../../domain/audience.ts'
import type { Channel } from '../../domain/channel-plan.ts'
import type { Trx } from '../connect.ts'
import type { ChannelCounts, SkippedCounts } from '../tables.ts'
import { findGroupQueries } from './audience/group-queries.ts'
import { type AudienceSpec, audienceRows } from './audience/rows.ts'
import { ensureDeliveryPartition } from './delivery-partition.ts'

/** Recipients of one provider call at most, by channel. */
export type BatchSizes = Record<Channel, number>

/** What a wave begins with. Counts of rows, skipped ones among `expected`. */
export type Written = {
  expected: number
  skipped: SkippedCounts
  byChannel: Partial<Record<Channel, ChannelCounts>>
}

/** A million rows take longer than any other statement may. */
const timeLimit = '15min'

/**
 * Writes a wave's rows, once: one delivery for everybody the audience names, the excluded as skipped, and the
 * batches of those who get it, numbered by locale, then subject. One statement, one snapshot; no list of
 * people leaves Postgres.
 * @throws ServiceError validation_error where the audience uses what is not available
 */
export async function insertDeliveries(
  trx: Trx,
  waveId: string,
  spec: AudienceSpec,
  batchSizes: BatchSizes,
): Promise<Written> {
  await ensureDeliveryPartition(trx, waveId)
  await sql`select set_config('statement_timeout', ${timeLimit}, true)`.execute(trx) // until the transaction ends
  const groupQueries = await findGroupQueries(trx, spec.unitId, spec.audience)
  const { rows } = await insertQuery(waveId, { ...spec, groupQueries }, batchSizes).execute(trx)
  return written(rows)
}

/** How many rows were written, by channel and reason (null: they get it). */
export type Group = { channel: Channel; reason: SkipReason | null; count: number }

/** The statement behind `insertDeliveries`; apart, so that its SQL can be looked at. */
export function insertQuery(waveId: string, spec: AudienceSpec, batchSizes: BatchSizes): RawBuilder<Group> {
  const sizes = spec.plan.channels.map(
    (channel) => sql`(${sql.lit(channel)}, ${sql.lit(batchSizes[channel])})`,
  )
  // Sorted once: by this order the places are counted, and rows of one batch come to lie side by side.
  return sql`
    with people as materialized (
      select subject_id, locale, channel, verdict,
        row_number() over (partition by verdict is null, channel, locale order by subject_id) - 1 as place
      from (${audienceRows(spec)}) as audience
    ),
    size (channel, per_batch) as (values ${sql.join(sizes)}),
    groups as (
      select channel, locale, verdict, count(*) as count from people group by channel, locale, verdict
    ),
    runs as (
      select channel, locale, count, per_batch,
        sum((count - 1) / per_batch + 1) over (partition by channel order by locale)
          - ((count - 1) / per_batch + 1) as first_batch
      from groups join size using (channel) where verdict is null
    ),
    inserted as (
      insert into delivery (wave_id, subject_id, channel, batch, state, reason)
      select ${waveId}::uuid, subject_id, channel,
        case when verdict is null then first_batch + place / per_batch end,
        case when verdict is null then 'pending' else 'skipped' end, verdict
      from people left join runs using (channel, locale)
    ),
    batched as (
      insert into batch (wave_id, channel, number, locale, size)
      select ${waveId}::uuid, channel, first_batch + start / per_batch, locale, least(per_batch, count - start)
      from runs cross join generate_series(0, count - 1, per_batch) as start
    )
    select channel, verdict as reason, sum(count)::bigint as count from groups group by channel, verdict`
}

function written(groups: Group[]): Written {
  const byChannel: Written['byChannel'] = {}
  const skipped: SkippedCounts = {}
  for (const { channel, reason, count } of groups) {
    byChannel[channel] ??= { expected: 0, sent: 0, failed: 0, unknown: 0, skipped: {} }
    byChannel[channel].expected += count
    if (reason === null) continue
    byChannel[channel].skipped[reason] = count
    skipped[reason] = (skipped[reason] ?? 0) + count
  }
  return { expected: groups.reduce((sum, { count }) => sum + count, 0), skipped, byChannel }
}
