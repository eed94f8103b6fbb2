import { sql } from 'kysely'
import type { Db } from '../connect.ts'
import { type Claim, restsUntil } from './batch.ts'

/** What is left to do on a channel of a wave. */
export type Outlook = {
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
export async function outlook(
  db: Db,
  { waveId, channel }: Pick<Claim, 'waveId' | 'channel'>,
  runId: string,
): Promise<Outlook> {
  const { rows } = await sql<Outlook>`
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
