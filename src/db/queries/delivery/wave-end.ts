import { sql } from 'kysely'
import type { Channel } from '../../../contract/enums.ts'
import type { Trx } from '../../connect.ts'
import { type Claim, isClaimedBy } from './batch.ts'

/** Why the remaining recipients of a wave are skipped. */
export type RemainingSkipReason = 'cancelled' | 'stopped' | 'expired' | 'parked'

/**
 * Ends up to `limit` free batches of a wave whose claims are stopped: pending deliveries are skipped for this reason,
 * or become unknown if an unclear call may have been accepted or the mail was a repeat. Returns the number of
 * deliveries ended. Two statements: a call that a delayed worker stores while its batch is being locked would be
 * missing from the snapshot of the first.
 */
export async function skipFreeBatches(
  trx: Trx,
  waveId: string,
  reason: RemainingSkipReason,
  limit: number,
): Promise<number> {
  const locked = await lockFreeBatches(trx, waveId, limit)
  if (locked.length === 0) return 0
  const numbers = locked.map(({ number }) => number)
  // Besides the join: whatever is expected of the wave, no more than its batches are read.
  const amongFree = sql`any(${numbers}::integer[])`
  const { rows } = await sql<{ ended: number }>`
    with free as materialized (
      select * from unnest(${locked.map(({ channel }) => channel)}::text[], ${numbers}::integer[],
        ${locked.map(({ repeats }) => repeats)}::boolean[]) as locked (channel, number, repeats)
    ),
    doubtful as (
      update call set state = 'unknown', subject_ids = case when repeats then '{}' else subject_ids end,
        addresses = case when repeats then '{}' else addresses end
      from free
      where wave_id = ${waveId} and call.channel = free.channel and call.batch = free.number
        and call.batch = ${amongFree} and call.state = 'open' and call.unclear
      returning call.channel, call.batch as number, cardinality(subject_ids) as members
    ),
    closed as (
      update delivery
      set state = case when doubtful.number is null and not repeats then 'skipped' else 'unknown' end, reason = ${reason}
      from free left join doubtful using (channel, number)
      where wave_id = ${waveId} and delivery.channel = free.channel and delivery.batch = free.number
        and delivery.batch = ${amongFree} and delivery.state = 'pending'
      returning delivery.channel, delivery.batch as number, delivery.state
    ),
    counted as (
      select channel, number, count(closed.number)::int as members,
        (count(*) filter (where closed.state = 'unknown'))::int as unknown,
        (count(*) filter (where closed.state = 'skipped'))::int as skipped
      from free left join closed using (channel, number) group by channel, number
    ),
    ended as (
      update batch
      set state = 'done', claimed_by = null, lease_until = null, unknown = batch.unknown + counted.unknown,
        pushes = pushes + coalesce(doubtful.members, 0),
        skipped = case when counted.skipped = 0 then batch.skipped else batch.skipped || jsonb_build_object(
          ${reason}::text, coalesce((batch.skipped ->> ${reason})::int, 0) + counted.skipped) end
      from counted left join doubtful using (channel, number)
      where batch.wave_id = ${waveId} and batch.channel = counted.channel and batch.number = counted.number
        and batch.number = ${amongFree}
      returning counted.members
    )
    select coalesce(sum(members), 0)::int as ended from ended
  `.execute(trx)
  return rows[0]!.ended
}

type FreeBatch = { channel: Channel; number: number; repeats: boolean }

async function lockFreeBatches(trx: Trx, waveId: string, limit: number): Promise<FreeBatch[]> {
  const { rows } = await sql<FreeBatch>`
    select channel, number, repeats from batch
    where wave_id = ${waveId} and state = 'open'
      and (lease_until is null or lease_until <= clock_timestamp())
    order by channel, number limit ${limit}
    for update skip locked
  `.execute(trx)
  return rows
}

/** Leaves members of a repeated batch unknown instead of mailing them again. Requires `lockClaimed`. */
export async function markUnknown(
  trx: Trx,
  claim: Claim,
  members: { subjectId: string; reason: string }[],
): Promise<void> {
  const { waveId, channel, number } = claim
  await sql`
    update delivery set state = 'unknown', reason = member.reason
    from unnest(${members.map(({ subjectId }) => subjectId)}::uuid[],
      ${members.map(({ reason }) => reason)}::text[]) as member (subject_id, reason)
    where wave_id = ${waveId} and channel = ${channel} and batch = ${number}
      and delivery.subject_id = member.subject_id and delivery.state = 'pending'
  `.execute(trx)
  await sql`update batch set unknown = unknown + ${members.length}::integer where ${isClaimedBy(claim)}`.execute(
    trx,
  )
}
