import { sql } from 'kysely'
import { type Channel, channels } from '../../domain/channel-plan.ts'
import type { Db } from '../connect.ts'

/** How sending stands on a channel: until when it rests, and what of it was put off. */
export type ChannelStanding = {
  channel: Channel
  /** Until when nothing but a probe is sent, because the provider asked for a pause. */
  restsUntil: Date | null
  /** Batches that were put off, by themselves or with their wave, and for how long the first of them has been. */
  retrying: number
  oldestSeconds: number
}

/** Reads a partial index. */
export async function channelStandings(db: Db): Promise<ChannelStanding[]> {
  const { rows } = await sql<ChannelStanding>`
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
