import { sql } from 'kysely'
import type { Trx } from '../../connect.ts'
import { batchAt, batchRanges, insertBatches, nextBatchNumber } from './batch-numbers.ts'

/** Deliveries that are pending again; `counted`: of batches whose outcomes the wave has counted. */
export type Revived = { moved: number; counted: number }

/**
 * Moves the recipients of a wave whose mail was refused, and whose suppression was lifted since, into new batches: they are
 * pending again, and are subtracted from the counts of their old batches. Requires the wave's lock.
 */
export async function reviveRefused(trx: Trx, waveId: string, perBatch: number): Promise<Revived> {
  const { rows } = await sql<Revived>`
    with refused as materialized (
      select delivery.subject_id, delivery.batch, batch.locale, batch.state,
        row_number() over (partition by batch.locale order by delivery.subject_id) - 1 as place
      from delivery
      join batch on batch.wave_id = ${waveId} and batch.channel = 'email' and batch.number = delivery.batch
        and batch.state <> 'open' and not batch.repeats
      join address on address.subject_id = delivery.subject_id and address.channel = 'email'
      where delivery.wave_id = ${waveId} and delivery.channel = 'email' and delivery.state = 'failed'
        and delivery.reason = 'bad_address' and address.hash is not null
        and not exists (select from suppression where suppression.channel = 'email' and suppression.hash = address.hash)
    ),
    groups as (
      select 'email' as channel, locale, count(*) as count, ${perBatch}::int as per_batch from refused group by locale
    ),
    runs as (${batchRanges(sql`groups`, nextBatchNumber(waveId, 'email'))}
    ),
    moved as (
      update delivery set state = 'pending', reason = null, batch = ${batchAt}
      from refused join runs using (locale)
      where wave_id = ${waveId} and delivery.channel = 'email' and delivery.subject_id = refused.subject_id
    ),
    remaining as (
      update batch set size = size - gone.count, failed = failed - gone.count
      from (select batch as number, count(*) as count from refused group by batch) as gone
      where wave_id = ${waveId} and channel = 'email' and batch.number = gone.number
    ),
    made as (${insertBatches(waveId, { repeats: false })}
    )
    select count(*)::int as moved, (count(*) filter (where state = 'counted'))::int as counted from refused
  `.execute(trx)
  return rows[0]!
}
