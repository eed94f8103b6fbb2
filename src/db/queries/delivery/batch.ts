import { type QueryCreator, sql } from 'kysely'
import type { Channel, Locale } from '../../../contract/enums.ts'
import { doubtedCode } from '../../../domain/message/outcome.ts'
import { probeServerEveryMs } from '../../../domain/message/server-doubt.ts'
import { asyncCommit } from '../../async-commit.ts'
import type { Db, Trx } from '../../connect.ts'
import { milliseconds } from '../../interval.ts'
import type { Database } from '../../tables.ts'
import { acceptsAll, isDoubted, isServerDoubted, serverProbeAt, trustsServer } from './mail-server.ts'
import { movesLater } from './pace.ts'
import { probeEveryMs } from './parking.ts'
import { restProbeEveryMs } from './provider.ts'

/** A claim of a batch. Writes about the batch take effect only while the claim holds. */
export type Claim = { waveId: string; channel: Channel; number: number; claimId: string }

/** Who claims: a later attempt of the same activity takes over the claims of an earlier one. */
type Claimant = { runId: string; activityId: string; attempt: number }

/** The `activityId` of whatever sends a small wave in one step: local activities and others continue one another. */
export const smallWaveActivity = 'sendSmallWave'

export type ClaimedBatch = {
  number: number
  /** No other batch of the channel is open. */
  last: boolean
  locale: Locale
  /** An earlier claim has stored calls. */
  begun: boolean
  /** Repeated mail: the first try may have arrived. */
  repeats: boolean
  /** How often it was deferred, and how long ago that started (ms). */
  tries: number
  failingMs: number
  /** The whole wave is parked, and this batch is its probe. */
  probing: boolean
  /** The channel rests, and this batch is its probe. */
  probesRest: boolean
  /** The mail server is doubted, and one address of this batch is its probe. */
  probesServer: boolean
  /** What the mail server says of recipients is believed, whatever it says. */
  believes: boolean
  /** The mail server has taken all of the newest recipients, as far as is known: another one that it takes is no news. */
  acceptsAll: boolean
  /** The wave is parked for a doubt that is over, or for a limit of the account that may be. */
  unparks: boolean
  /** Milliseconds until the message expires, by Postgres' clock at the claim; null: never. */
  expiresInMs: number | null
}

/** When a resting channel can next be claimed: its next probe, or the end of the rest. */
export const restsUntil = sql<Date>`least(channel_rest.until, channel_rest.probe_at)`

/** What a claim finds of the only batch of a wave that nobody has tried, through no server that may be doubted. */
export const untriedBatch = {
  number: 0,
  last: true,
  begun: false,
  repeats: false,
  tries: 0,
  failingMs: 0,
  probing: false,
  probesRest: false,
  probesServer: false,
  believes: false,
  acceptsAll: false,
  unparks: false,
} satisfies Partial<ClaimedBatch>

/** How long a claim holds, by Postgres' clock; renewed every 5 s while its call is in flight. */
export const leaseMs = 20_000

const lease = sql.lit(`${leaseMs} ms`)
/** The wait until the next probe, of a parked wave and of a rest, so that only one is in flight. */
const probe = sql.lit(`${probeEveryMs} ms`)
const restProbe = sql.lit(`${restProbeEveryMs} ms`)

/**
 * Claims the next free batch of a wave's channel under a new `claimId`; undefined if there is none. One statement: it
 * locks the wave's row first and only for its duration, so a transaction that locks message, then wave (pause, cancel,
 * stop) never sees a partial claim. The clock is read after the lock is held. A batch is free if it is open, past its
 * back-off, and not leased, except by an earlier attempt of the same activity; the batch with the fewest deferrals
 * comes first, so that one that always fails does not become the probe for the others. Nothing is claimed before its quota
 * is reserved, and in a month after the wave's until its reservation has moved there. `server`: the server through which the channel sends and which
 * may be doubted; null: it has none. `paced`: the wave has a pace, which it keeps after a delay as well.
 */
export async function claimBatch(
  db: Db | Trx,
  { waveId, channel, claimId }: Omit<Claim, 'number'>,
  { runId, activityId, attempt }: Claimant,
  { quotaTimeZone, server, paced }: { quotaTimeZone: string; server: string | null; paced: boolean },
): Promise<ClaimedBatch | undefined> {
  const doubts = server === null ? noDoubts : doubtsOf(server)
  const { rows } = await sql<ClaimedBatch>`
    with held as materialized (
      select wave.id, wave.month, wave.parked, wave.probe_at, message.expires_at${doubts.held}
      from wave left join message on message.id = wave.message_id
      where wave.id = ${waveId} and wave.state = 'sending' and not wave.skip_remaining and not wave.unreserved
        and ${asyncCommit}
      for no key update of wave
    ),
    sending as materialized (
      select held.*, clock_timestamp() as now from held
      where (expires_at is null or expires_at > clock_timestamp())
        and (parked is null or (parked <> 'quota' and coalesce(probe_at <= clock_timestamp(), true)))
        and date_trunc('month', clock_timestamp() at time zone ${quotaTimeZone}) <= month
        and not exists (
          select from channel_rest where channel = ${channel} and ${restsUntil} > clock_timestamp()
        )${doubts.lets}
    ),
    free as materialized (
      select batch.number, batch.tries, batch.not_before from batch, sending
      where batch.wave_id = ${waveId} and batch.channel = ${channel} and batch.state = 'open'
        and (not_before is null or not_before <= sending.now)
        and (lease_until is null or lease_until <= sending.now
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
    )${doubts.probed}${paced ? movesLater(waveId, channel) : sql``}
    update batch
    set claimed_by = ${claimId}, run_id = ${runId}, activity_id = ${activityId}, attempt = ${attempt},
      lease_until = sending.now + ${lease}::interval
    from sending
    where batch.wave_id = ${waveId} and batch.channel = ${channel} and batch.number = (select number from free)
    returning batch.number, batch.locale, batch.repeats, batch.tries,
      case when batch.code = ${doubtedCode} then 0
        else coalesce(extract(epoch from sending.now - batch.failing_since) * 1000, 0)::float8 end as "failingMs",
      sending.probe_at is not null as probing, exists (select from probed) as "probesRest",${doubts.returned}
      not exists (
        select from batch as other where other.wave_id = ${waveId} and other.channel = ${channel}
          and other.state = 'open' and other.number <> batch.number
      ) as last,
      exists (
        select from call
        where call.wave_id = ${waveId} and call.channel = ${channel} and call.batch = batch.number
      ) as begun,
      (extract(epoch from sending.expires_at - sending.now) * 1000)::float8 as "expiresInMs"
  `.execute(db)
  return rows[0]
}

/**
 * Claims the only batch of a wave's channel as part of the statement that starts the wave: the first statement of the
 * try finds that the claim holds. While the channel rests nothing is claimed, and the claim does not hold.
 */
export function claimOnlyBatch(
  query: QueryCreator<Database>,
  { waveId, channel, number, claimId }: Claim,
  { runId, activityId, attempt }: Claimant,
) {
  return query.with('claimed', (at) =>
    at
      .updateTable('batch')
      .set({ claimed_by: claimId, run_id: runId, activity_id: activityId, attempt })
      .set({ lease_until: sql<Date>`clock_timestamp() + ${lease}::interval` })
      .where('wave_id', '=', waveId)
      .where('channel', '=', channel)
      .where('number', '=', number)
      .where(isAwake(channel)),
  )
}

/** Whether the provider of a channel has not asked for rest. */
export function isAwake(channel: Channel) {
  return sql<boolean>`not exists (select from channel_rest where channel = ${channel} and until > clock_timestamp())`
}

const noDoubts = {
  held: sql``,
  lets: sql``,
  probed: sql``,
  returned: sql`
      false as "probesServer", false as believes, false as "acceptsAll", false as unparks,`,
}

/**
 * What a doubted mail server adds to a claim: a wave that does not believe it waits for the server's probe, which one of
 * all waves and workers makes.
 */
function doubtsOf(server: string) {
  return {
    held: sql`, ${trustsServer} as believes, ${isServerDoubted(server)} as doubted`,
    lets: sql`
        and (believes or not doubted or ${serverProbeAt(server)} <= clock_timestamp())`,
    probed: sql`,
    asked as (
      update mail_server set probe_at = clock_timestamp() + ${milliseconds(probeServerEveryMs)}
      from free, sending
      where host = ${server} and ${isDoubted} and not sending.believes and mail_server.probe_at <= clock_timestamp()
      returning 1
    )`,
    returned: sql`
      exists (select from asked) as "probesServer", sending.believes, ${acceptsAll(server)} as "acceptsAll",
      coalesce(sending.parked = ${doubtedCode} and (sending.believes or not sending.doubted)
        or sending.parked = 'provider_quota' and sending.probe_at is null, false) as unparks,`,
  }
}

/** Renews the lease of a claim from now. Returns false if the claim no longer holds. */
export async function renewLease(db: Db, claim: Claim): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update batch set lease_until = clock_timestamp() + ${lease}::interval
    where ${isClaimedBy(claim)}
  `.execute(db)
  return numAffectedRows === 1n
}

/** The batch is open and held by this claim. */
export function isClaimedBy({ waveId, channel, number, claimId }: Claim) {
  return sql<boolean>`
    batch.wave_id = ${waveId} and batch.channel = ${channel} and batch.number = ${number}
    and batch.state = 'open' and batch.claimed_by = ${claimId}`
}

/** The remaining work on a channel of a wave. */
type ClaimOutlook = {
  /** The wave is sending with its quota reserved, and its message has not expired. */
  sending: boolean
  open: number
  /** Milliseconds until a batch can be claimed; null if other lanes of this run hold all open batches. */
  waitMs: number | null
  /** The wave waits for a doubted mail server. `parked`: and shows it. */
  doubted: boolean
  parked: boolean
}

/**
 * When to claim again after nothing could be claimed. Ignores batches held by another lane of this run: that lane, or
 * its next attempt, finishes them.
 */
export async function whenClaimable(
  db: Db,
  { waveId, channel }: Pick<Claim, 'waveId' | 'channel'>,
  { runId, quotaTimeZone, server }: { runId: string; quotaTimeZone: string; server: string | null },
): Promise<ClaimOutlook> {
  const doubted = server === null ? sql`false` : sql`not ${trustsServer} and ${isServerDoubted(server)}`
  const probed =
    server === null
      ? sql``
      : sql`,
        case when ${doubted} then ${serverProbeAt(server)} end`
  const { rows } = await sql<ClaimOutlook>`
    select ${doubted} as doubted, wave.parked is not null as parked, wave.state = 'sending' and not wave.skip_remaining and not wave.unreserved
        and parked is distinct from 'quota'
        and date_trunc('month', clock_timestamp() at time zone ${quotaTimeZone}) <= wave.month
        and coalesce(expires_at > clock_timestamp(), true) as sending,
      coalesce(open, 0) as open,
      case when free_at is not null then (extract(epoch from greatest(
        free_at, probe_at, (select ${restsUntil} from channel_rest where channel = ${channel})${probed}
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
