import { sql } from 'kysely'
import { type Channel, channels } from '../../../contract/enums.ts'
import type { Db, Trx } from '../../connect.ts'
import { milliseconds } from '../../interval.ts'

/** A provider's rate limit for an account on one endpoint. */
export type ProviderRate = { account: string; endpoint: string; perSecond: number }

/**
 * Leases `share` calls from the bucket that all processes share, by Postgres' clock. Missing tokens are lent ahead:
 * returns in how many ms the calls may be made, and the next lease waits behind them. A bucket holds at most one share,
 * so that a pause is not followed by a burst.
 */
export async function leaseShare(
  db: Db,
  { account, endpoint, perSecond }: ProviderRate,
  share: number,
): Promise<number> {
  const { rows } = await sql<{ tokens: number }>`
    insert into provider_rate as bucket (account, endpoint, tokens, at)
    values (${account}, ${endpoint}, 0, clock_timestamp())
    on conflict (account, endpoint) do update
    set at = greatest(bucket.at, clock_timestamp()),
      tokens = least(${share}::float8, bucket.tokens
        + greatest(0, extract(epoch from clock_timestamp() - bucket.at)) * ${perSecond}::float8) - ${share}::float8
    returning tokens
  `.execute(db)
  return Math.max(0, (-rows[0]!.tokens / perSecond) * 1_000)
}

/** The state of sending on a channel: its rest, and its deferred batches. */
export type ChannelStatus = {
  channel: Channel
  /** Until then only probes are sent, because the provider asked for a pause. */
  restsUntil: Date | null
  /** Number of deferred batches, alone or with their wave, and the age of the oldest deferral. */
  retrying: number
  oldestSeconds: number
  /** Its provider has let it rest, and taken nothing, for a minute. */
  takesNothing: boolean
}

/** How long a channel is without an acceptance until its provider counts as unavailable, whatever it answers to probes. */
const patienceSeconds = 60
/** Between the end of a rest and the next one there is a call. */
const betweenRestsSeconds = 30

/** Reads a partial index. */
export async function readChannelStatuses(db: Db): Promise<ChannelStatus[]> {
  const { rows } = await sql<ChannelStatus>`
    select channel.name as channel, rest.until as "restsUntil", retrying_batch.retrying,
      coalesce(retrying_batch."oldestSeconds" >= ${patienceSeconds}, false) and exists (
        select from channel_rest as lately where lately.channel = channel.name
          and lately.until > clock_timestamp() - make_interval(secs => ${betweenRestsSeconds})) as "takesNothing", retrying_batch."oldestSeconds"
    from unnest(${[...channels]}::text[]) as channel (name)
      left join channel_rest as rest on rest.channel = channel.name and rest.until > clock_timestamp()
      cross join lateral (
        select count(*)::int as retrying,
          coalesce(extract(epoch from clock_timestamp() - min(failing_since)), 0)::float8 as "oldestSeconds"
        from batch where batch.channel = channel.name and state = 'open' and failing_since is not null
      ) as retrying_batch
    order by channel.name
  `.execute(db)
  return rows
}

/** The deferred batches of a wave by channel and reason, in JSON. For queries with the wave's id. */
export function retryingOf(waveId: string) {
  return sql<RetryingRow[]>`(
    select coalesce(json_agg(row_to_json(retrying_batch) order by retrying_batch.since), '[]') from (
      select channel, code as reason, sum(size)::int as deliveries, max(tries) as tries, min(failing_since) as since,
        min(greatest(not_before, clock_timestamp())) as "nextTryAt"
      from batch
      where wave_id = ${sql.ref(waveId)} and state = 'open' and failing_since is not null
      group by channel, code
    ) as retrying_batch)`
}

/** Instants inside JSON are in Postgres' text format. */
type RetryingRow = {
  channel: Channel
  reason: string
  deliveries: number
  tries: number
  since: string
  nextTryAt: string
}

/** The interval between probes of a resting channel. */
export const restProbeEveryMs = 10_000

/** Rests a channel for `restMs`, except for probes every 10 s. Never shortens a rest in progress. */
export async function restChannel(trx: Trx, channel: Channel, restMs: number): Promise<void> {
  await sql`
    insert into channel_rest (channel, until, probe_at)
    values (${channel}, clock_timestamp() + ${milliseconds(restMs)}, clock_timestamp() + ${milliseconds(restProbeEveryMs)})
    on conflict (channel) do update
    set until = greatest(channel_rest.until, excluded.until), probe_at = excluded.probe_at
  `.execute(trx)
}

/** Ends the rest of a channel: the provider accepts calls again. */
export async function endRest(trx: Trx, channel: Channel): Promise<void> {
  await sql`update channel_rest set until = '-infinity' where channel = ${channel}`.execute(trx)
}
