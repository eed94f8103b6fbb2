import { sql } from 'kysely'
import type { Channel, Locale } from '../../../contract/enums.ts'
import { asyncCommit } from '../../async-commit.ts'
import type { Db, Trx } from '../../connect.ts'
import { probeEveryMs } from './parking.ts'
import { restProbeEveryMs } from './provider.ts'

/** Which batch, and under which claim: what is written about it is written only while the claim is still ours. */
export type Claim = { waveId: string; channel: Channel; number: number; claimId: string }

/** Whoever claims: a later attempt of the same activity takes over what the earlier one held. */
export type Claimant = { runId: string; activityId: string; attempt: number }

export type ClaimedBatch = {
  number: number
  /** No other batch of the channel is open: with this one the channel is done. */
  last: boolean
  locale: Locale
  /** There are stored calls of an earlier claim. */
  begun: boolean
  /** Mail that may have arrived before, sent once more. */
  repeats: boolean
  /** How often it was put off, and since when (ms). */
  tries: number
  failingMs: number
  /** The wave is parked as a whole, and this batch is its probe. */
  probing: boolean
  /** The channel rests, and this batch finds out whether it still has to. */
  probesRest: boolean
  /** Milliseconds until the message expires, by Postgres' clock at the claim; null: never. */
  expiresInMs: number | null
}

/** How long a claim holds, by Postgres' clock; renewed every 5 s while its call is under way. */
export const leaseMs = 20_000

const lease = sql.lit(`${leaseMs} ms`)
/** Nobody else probes a parked wave, or a rest, while a probe is under way. */
const probe = sql.lit(`${probeEveryMs} ms`)
const restProbe = sql.lit(`${restProbeEveryMs} ms`)

/**
 * Claims the next free batch of a wave's channel under a fresh `claimId`, or answers undefined. One statement: the wave's
 * row is locked first and only as long as this takes, so whoever locks message, then wave (pause, cancel, stop) never
 * meets a half-made claim. What may be claimed is judged by the clock after the lock is held. Free is a batch that is
 * open, past its back-off, and without a live lease of anybody but an earlier attempt of the same activity; of these,
 * the one that was put off least, so that one that always fails is no probe for the others. In a month later than the
 * wave's nothing is claimed before its reservation has moved there.
 */
export async function claimBatch(
  db: Db | Trx,
  { waveId, channel, claimId }: Omit<Claim, 'number'>,
  { runId, activityId, attempt }: Claimant,
  quotaTimeZone: string,
): Promise<ClaimedBatch | undefined> {
  const { rows } = await sql<ClaimedBatch>`
    with held as materialized (
      select wave.id, wave.month, wave.parked, wave.probe_at, message.expires_at
      from wave left join message on message.id = wave.message_id
      where wave.id = ${waveId} and wave.state = 'sending' and not wave.skip_rest
        and ${asyncCommit}
      for no key update of wave
    ),
    going as materialized (
      select held.*, clock_timestamp() as now from held
      where (expires_at is null or expires_at > clock_timestamp())
        and (parked is null or (parked <> 'quota' and coalesce(probe_at <= clock_timestamp(), true)))
        and date_trunc('month', clock_timestamp() at time zone ${quotaTimeZone}) <= month
        and not exists (
          select from channel_rest where channel = ${channel} and ${restsUntil} > clock_timestamp()
        )
    ),
    free as materialized (
      select batch.number from batch, going
      where batch.wave_id = ${waveId} and batch.channel = ${channel} and batch.state = 'open'
        and (not_before is null or not_before <= going.now)
        and (lease_until is null or lease_until <= going.now
          or (run_id = ${runId} and activity_id = ${activityId} and attempt < ${attempt}))
      order by batch.tries, batch.number limit 1
      for update of batch skip locked
    ),
    marked as (
      update wave
      set claimed = true,
        probe_at = case when probe_at is not null then clock_timestamp() + ${probe}::interval end
      from free
      where id = ${waveId} and (not claimed or probe_at is not null)
    ),
    probed as (
      update channel_rest set probe_at = clock_timestamp() + ${restProbe}::interval
      from free where channel = ${channel} and until > clock_timestamp()
      returning 1
    )
    update batch
    set claimed_by = ${claimId}, run_id = ${runId}, activity_id = ${activityId}, attempt = ${attempt},
      lease_until = going.now + ${lease}::interval
    from free, going
    where batch.wave_id = ${waveId} and batch.channel = ${channel} and batch.number = free.number
    returning batch.number, batch.locale, batch.repeats, batch.tries,
      coalesce(extract(epoch from going.now - batch.failing_since) * 1000, 0)::float8 as "failingMs",
      going.probe_at is not null as probing, exists (select from probed) as "probesRest",
      not exists (
        select from batch as other where other.wave_id = ${waveId} and other.channel = ${channel}
          and other.state = 'open' and other.number <> free.number
      ) as last,
      exists (
        select from call where wave_id = ${waveId} and channel = ${channel} and batch = free.number
      ) as begun,
      (extract(epoch from going.expires_at - going.now) * 1000)::float8 as "expiresInMs"
  `.execute(db)
  return rows[0]
}

/** Holds a claim for another lease from now on. False when it is no longer ours. */
export async function renewLease(db: Db, claim: Claim): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update batch set lease_until = clock_timestamp() + ${lease}::interval
    where ${isClaimedBy(claim)}
  `.execute(db)
  return numAffectedRows === 1n
}

/** The moment before which nobody claims on a resting channel: its next probe, or the end of the rest. */
export const restsUntil = sql<Date>`least(channel_rest.until, channel_rest.probe_at)`

/** An open batch that this claim still holds. */
export function isClaimedBy({ waveId, channel, number, claimId }: Claim) {
  return sql<boolean>`
    batch.wave_id = ${waveId} and batch.channel = ${channel} and batch.number = ${number}
    and batch.state = 'open' and batch.claimed_by = ${claimId}`
}

/** What is left to do on a channel of a wave. */
export type ClaimOutlook = {
  /** The wave is sending and its message not past its expiry. */
  going: boolean
  open: number
  /** Milliseconds until a batch can be claimed; null where only other lanes of this run hold any. */
  waitMs: number | null
}

/**
 * When to come back after nothing could be claimed. Batches that another lane of this run holds are left out: that
 * lane, or its next attempt, finishes them.
 */
export async function whenClaimable(
  db: Db,
  { waveId, channel }: Pick<Claim, 'waveId' | 'channel'>,
  runId: string,
): Promise<ClaimOutlook> {
  const { rows } = await sql<ClaimOutlook>`
    select wave.state = 'sending' and not wave.skip_rest and coalesce(expires_at > clock_timestamp(), true) as going,
      coalesce(open, 0) as open,
      case when free_at is not null then (extract(epoch from greatest(
        free_at, probe_at, (select ${restsUntil} from channel_rest where channel = ${channel})
      ) - clock_timestamp()) * 1000)::float8 end as "waitMs"
    from wave
    left join message on message.id = wave.message_id
    cross join lateral (
      select count(*)::int as open, min(greatest(not_before, lease_until, clock_timestamp()))
        filter (where coalesce(lease_until <= clock_timestamp() or run_id <> ${runId}, true)) as free_at
      from batch where wave_id = wave.id and channel = ${channel} and batch.state = 'open'
    ) as batches
    where wave.id = ${waveId}
  `.execute(db)
  return rows[0]!
}
