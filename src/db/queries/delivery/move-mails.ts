import { type RawBuilder, sql } from 'kysely'
import type { Trx } from '../../connect.ts'
import { batchAt, batchRanges, insertBatches, nextBatchNumber } from './batch-numbers.ts'

/** Deliveries that are pending again; `counted`: of batches whose outcomes the wave has counted. */
type Moved = { moved: number; counted: number }

/**
 * Moves the recipients of a wave whose mail stayed unknown into new batches, once: they are pending again. Requires the
 * wave's lock.
 */
export function repeatUnknown(trx: Trx, waveId: string, perBatch: number): Promise<Moved> {
  const unknown = sql`where delivery.wave_id = ${waveId} and delivery.channel = 'email' and delivery.state = 'unknown'
        and not batch.repeats`
  return moveMails(trx, waveId, { perBatch, members: unknown, counter: sql.ref('unknown'), repeats: true })
}

/**
 * Moves the recipients of a wave whose mail was refused, for a reason that a server in trouble gives to everybody, and whose
 * suppression was lifted if there was one, into new batches: they are pending again. Requires the wave's lock.
 */
export function reviveRefused(trx: Trx, waveId: string, perBatch: number): Promise<Moved> {
  const refused = sql`join address on address.subject_id = delivery.subject_id and address.channel = 'email'
      where delivery.wave_id = ${waveId} and delivery.channel = 'email' and delivery.state = 'failed'
        and delivery.reason in ('bad_address', 'policy', 'rejected') and batch.state <> 'open' and not batch.repeats
        and not exists (select from suppression where suppression.channel = 'email' and suppression.hash = address.hash)`
  return moveMails(trx, waveId, { perBatch, members: refused, counter: sql.ref('failed'), repeats: false })
}

/** `members`: what follows `delivery join batch`. `counter`: that of their old batches, from which they are subtracted. */
type Move = { perBatch: number; members: RawBuilder<unknown>; counter: RawBuilder<unknown>; repeats: boolean }

async function moveMails(
  trx: Trx,
  waveId: string,
  { perBatch, members, counter, repeats }: Move,
): Promise<Moved> {
  const { rows } = await sql<Moved>`
    with member as materialized (
      select delivery.wave_id, delivery.channel, delivery.batch, delivery.subject_id, batch.locale, batch.state,
        row_number() over (partition by batch.locale order by delivery.subject_id) - 1 as ordinal
      from delivery
      cross join lateral (
        select locale, state, repeats from batch
        where batch.wave_id = ${waveId} and batch.channel = 'email' and batch.number = delivery.batch offset 0
      ) as batch
      ${members}
    ),
    groups as (
      select 'email' as channel, locale, count(*) as count, ${perBatch}::int as per_batch from member group by locale
    ),
    runs as (${batchRanges(sql`groups`, nextBatchNumber(waveId, 'email'))}
    ),
    moved as (
      update delivery set state = 'pending', reason = null, batch = ${batchAt}
      from member join runs using (locale)
      where delivery.wave_id = ${waveId} and delivery.channel = member.channel and delivery.batch = member.batch
        and delivery.subject_id = member.subject_id
    ),
    remaining as (
      update batch set size = size - gone.count, ${counter} = ${counter} - gone.count
      from (select wave_id, channel, batch as number, count(*) as count from member group by 1, 2, 3) as gone
      where batch.wave_id = gone.wave_id and batch.channel = gone.channel and batch.number = gone.number
    ),
    made as (${insertBatches(waveId, { repeats })}
    )
    select count(*)::int as moved, (count(*) filter (where state = 'counted'))::int as counted from member
  `.execute(trx)
  return rows[0]!
}
