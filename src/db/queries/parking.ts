import { sql } from 'kysely'
import type { Channel } from '../../domain/channel-plan.ts'
import type { Trx } from '../connect.ts'
import type { Problem } from '../tables.ts'

type WaveIds = { waveId: string; messageId: string }

/** A parked wave tries one batch this often. */
export const probeEveryMs = 60_000

/** Parks a wave: a probe in a minute goes on trying. Under the locks of message and wave. */
export async function parkWave(trx: Trx, wave: WaveIds, problem: Problem): Promise<void> {
  const probe_at = sql<Date>`clock_timestamp() + make_interval(secs => ${probeEveryMs / 1000}::float8)`
  await trx.updateTable('wave').set({ parked: problem, probe_at }).where('id', '=', wave.waveId).execute()
  await trx.updateTable('message').set({ problem }).where('id', '=', wave.messageId).execute()
}

/** The wave goes on. Under the locks of message and wave. */
export async function unparkWave(trx: Trx, wave: WaveIds): Promise<void> {
  await trx.updateTable('wave').set({ parked: null, probe_at: null }).where('id', '=', wave.waveId).execute()
  await trx.updateTable('message').set({ problem: null }).where('id', '=', wave.messageId).execute()
}

/** Nothing begins on the channel for so many ms; a longer rest that was asked for before stays. */
export async function restChannel(trx: Trx, channel: Channel, ms: number): Promise<void> {
  await sql`
    insert into channel_rest (channel, until)
    values (${channel}, clock_timestamp() + make_interval(secs => ${ms / 1000}::float8))
    on conflict (channel) do update set until = greatest(channel_rest.until, excluded.until)
  `.execute(trx)
}
