import { sql } from 'kysely'
import type { Trx } from '../connect.ts'
import { type Claim, ours } from './batch.ts'

/**
 * Takes everybody of a wave whose mail stayed unknown, once, into new batches: they are pending again, and what they were
 * counted as is taken back from the batches they leave. Answers how many they are. Under the wave's lock.
 */
export async function repeatUnknown(trx: Trx, waveId: string, perBatch: number): Promise<number> {
  const { rows } = await sql<{ moved: number }>`
    with doubt as materialized (
      select delivery.subject_id, delivery.batch, locale,
        row_number() over (partition by locale order by delivery.subject_id) - 1 as place
      from delivery
      join batch on batch.wave_id = ${waveId} and batch.channel = 'email' and batch.number = delivery.batch
      where delivery.wave_id = ${waveId} and delivery.channel = 'email' and delivery.state = 'unknown'
        and not batch.repeats
    ),
    runs as (
      select locale, count(*) as count,
        (select max(number) + 1 from batch where wave_id = ${waveId} and channel = 'email')
          + sum((count(*) - 1) / ${perBatch}::int + 1) over (order by locale)
          - ((count(*) - 1) / ${perBatch}::int + 1) as first_batch
      from doubt group by locale
    ),
    moved as (
      update delivery set state = 'pending', reason = null, batch = first_batch + place / ${perBatch}::int
      from doubt join runs using (locale)
      where wave_id = ${waveId} and channel = 'email' and delivery.subject_id = doubt.subject_id
    ),
    remaining as (
      update batch set size = size - gone.count, unknown = unknown - gone.count
      from (select batch as number, count(*) as count from doubt group by batch) as gone
      where wave_id = ${waveId} and channel = 'email' and batch.number = gone.number
    ),
    made as (
      insert into batch (wave_id, channel, number, locale, size, repeats)
      select ${waveId}::uuid, 'email', first_batch + start / ${perBatch}::int, locale,
        least(${perBatch}::int, count - start), true
      from runs cross join generate_series(0, count - 1, ${perBatch}::int) as start
    )
    select count(*)::int as moved from doubt
  `.execute(trx)
  return rows[0]!.moved
}

/** These members of a repeated batch are not mailed once more: it stays unknown whether they were. Under `lockOurs`. */
export async function leaveUnknown(
  trx: Trx,
  claim: Claim,
  members: { subjectId: string; reason: string }[],
): Promise<void> {
  const { waveId, channel } = claim
  await sql`
    update delivery set state = 'unknown', reason = member.reason
    from unnest(${members.map(({ subjectId }) => subjectId)}::uuid[],
      ${members.map(({ reason }) => reason)}::text[]) as member (subject_id, reason)
    where wave_id = ${waveId} and channel = ${channel} and delivery.subject_id = member.subject_id
      and delivery.state = 'pending'
  `.execute(trx)
  await sql`update batch set unknown = unknown + ${members.length}::integer where ${ours(claim)}`.execute(trx)
}
