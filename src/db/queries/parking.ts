import { sql } from 'kysely'
import type { Channel } from '../../domain/channel-plan.ts'
import type { Problem } from '../../domain/message-state.ts'
import type { Trx } from '../connect.ts'

type WaveIds = { waveId: string; messageId: string }

/** A parked wave tries one batch this often. */
export const probeEveryMs = 60_000

/**
 * Parks a wave that is to be sent: a probe in a minute goes on trying. One that was ended meanwhile is left alone. Under
 * the locks of message and wave.
 */
export async function parkWave(trx: Trx, wave: WaveIds, problem: Problem): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable('wave')
    .set({
      parked: problem,
      parked_at: sql<Date>`coalesce(parked_at, clock_timestamp())`,
      probe_at: sql<Date>`clock_timestamp() + make_interval(secs => ${probeEveryMs / 1000}::float8)`,
    })
    .where('id', '=', wave.waveId)
    .where('state', 'in', ['sending', 'paused'])
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return
  await trx.updateTable('message').set({ problem }).where('id', '=', wave.messageId).execute()
}

/** The wave goes on. Under the locks of message and wave. */
export async function unparkWave(trx: Trx, wave: WaveIds): Promise<void> {
  await trx
    .updateTable('wave')
    .set({ parked: null, parked_at: null, probe_at: null })
    .where('id', '=', wave.waveId)
    .execute()
  await trx.updateTable('message').set({ problem: null }).where('id', '=', wave.messageId).execute()
}

/** A parked wave may try again at once. Under its lock. */
export async function probeNow(trx: Trx, waveId: string): Promise<void> {
  await trx
    .updateTable('wave')
    .set({ probe_at: sql<Date>`clock_timestamp()` })
    .where('id', '=', waveId)
    .execute()
}

/** Nothing of a wave begins any more; who is left is to be skipped. Under its lock. */
export async function skipRest(trx: Trx, waveId: string): Promise<void> {
  await trx.updateTable('wave').set({ skip_rest: true }).where('id', '=', waveId).execute()
}

/** Nothing begins on the channel for so many ms; a longer rest that was asked for before stays. */
export async function restChannel(trx: Trx, channel: Channel, ms: number): Promise<void> {
  await sql`
    insert into channel_rest (channel, until)
    values (${channel}, clock_timestamp() + make_interval(secs => ${ms / 1000}::float8))
    on conflict (channel) do update set until = greatest(channel_rest.until, excluded.until)
  `.execute(trx)
}
