import { sql } from 'kysely'
import { type Channel, channels } from '../../../contract/enums.ts'
import type { Db, Trx } from '../../connect.ts'
import { milliseconds } from '../../interval.ts'

/** A provider's own rate: of an account, on one of its endpoints. */
export type ProviderRate = { account: string; endpoint: string; perSecond: number }

/**
 * Leases `share` calls from the bucket that all processes draw on, by Postgres' clock. What is not there yet is lent: the
 * answer says in how many ms the calls may be made, and the next lease waits behind them. A bucket holds one share at
 * most, so that a pause is not made up for by a burst.
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

/** How sending stands on a channel: until when it rests, and what of it was put off. */
export type ChannelStatus = {
  channel: Channel
  /** Until when nothing but a probe is sent, because the provider asked for a pause. */
  restsUntil: Date | null
  /** Batches that were put off, by themselves or with their wave, and for how long the first of them has been. */
  retrying: number
  oldestSeconds: number
}

/** Reads a partial index. */
export async function readChannelStatuses(db: Db): Promise<ChannelStatus[]> {
  const { rows } = await sql<ChannelStatus>`
    select channel.name as channel, rest.until as "restsUntil", late.retrying, late."oldestSeconds"
    from unnest(${[...channels]}::text[]) as channel (name)
      left join channel_rest as rest on rest.channel = channel.name and rest.until > clock_timestamp()
      cross join lateral (
        select count(*)::int as retrying,
          coalesce(extract(epoch from clock_timestamp() - min(failing_since)), 0)::float8 as "oldestSeconds"
        from batch where batch.channel = channel.name and state = 'open' and failing_since is not null
      ) as late
    order by channel.name
  `.execute(db)
  return rows
}

/** What of a wave was put off and is tried again: by channel and reason, in JSON. For queries with the wave's id. */
export function retryingOf(waveId: string) {
  return sql<RetryingRow[]>`(
    select coalesce(json_agg(row_to_json(late) order by late.since), '[]') from (
      select channel, code as reason, sum(size)::int as recipients, max(tries) as tries, min(failing_since) as since,
        min(greatest(not_before, clock_timestamp())) as "nextTryAt"
      from batch
      where wave_id = ${sql.ref(waveId)} and state = 'open' and failing_since is not null
      group by channel, code
    ) as late)`
}

/** Moments inside JSON come as Postgres writes them. */
export type RetryingRow = {
  channel: Channel
  reason: string
  recipients: number
  tries: number
  since: string
  nextTryAt: string
}

/** A channel that rests for long tries one batch this often. */
export const restProbeEveryMs = 10_000

/**
 * Nothing begins on the channel for so many ms, but for a probe of a long rest; a longer one that was asked for before
 * stays.
 */
export async function restChannel(trx: Trx, channel: Channel, restMs: number): Promise<void> {
  await sql`
    insert into channel_rest (channel, until, probe_at)
    values (${channel}, clock_timestamp() + ${milliseconds(restMs)}, clock_timestamp() + ${milliseconds(restProbeEveryMs)})
    on conflict (channel) do update
    set until = greatest(channel_rest.until, excluded.until), probe_at = excluded.probe_at
  `.execute(trx)
}

/** The provider takes calls again: the channel rests no longer. */
export async function endRest(trx: Trx, channel: Channel): Promise<void> {
  await sql`update channel_rest set until = clock_timestamp() where channel = ${channel}`.execute(trx)
}
