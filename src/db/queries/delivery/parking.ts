import { sql } from 'kysely'
import type { Channel, WaveProblem } from '../../../contract/enums.ts'
import { doubtedCode } from '../../../domain/message/outcome.ts'
import { stuckAfter } from '../../../domain/message/settlement.ts'
import type { Trx } from '../../connect.ts'
import { milliseconds, msFromNow } from '../../interval.ts'
import { insertAuthorNotices } from '../notice/author-notice.ts'
import { isDoubted } from './mail-server.ts'

type WaveIds = { waveId: string; messageId: string }

/** The longest interval between two probes of a parked wave. */
export const probeEveryMs = 60_000
/** The delay of a parked wave's first probe; each later one waits twice as long. */
const firstProbeMs = 1_000
/**
 * Parks a sending or paused wave. `gate`: the whole wave waits for a probe, the first after a second, the next ones at
 * growing intervals of up to a minute; otherwise only failing batches wait, and the others continue. Does nothing if
 * the wave has ended meanwhile. Requires the locks of message and wave.
 */
export async function parkWave(
  trx: Trx,
  wave: WaveIds,
  { problem, gate }: { problem: WaveProblem; gate: boolean },
): Promise<void> {
  const parkedFor = sql`coalesce(clock_timestamp() - parked_at, '0')`
  const wait = sql`least(greatest(${parkedFor}, ${milliseconds(firstProbeMs)}), ${milliseconds(probeEveryMs)})`
  const { numUpdatedRows } = await trx
    .updateTable('wave')
    .set({
      parked: problem,
      parked_at: sql<Date>`coalesce(parked_at, clock_timestamp())`,
      // The mail server has probes of its own.
      ...(problem === 'unknown_recipients' && {
        probe_at: null,
        doubted_at: sql<Date>`coalesce(doubted_at, clock_timestamp())`,
      }),
      ...(gate && { probe_at: sql<Date>`clock_timestamp() + ${wait}` }),
    })
    .where('id', '=', wave.waveId)
    .where('state', 'in', ['sending', 'paused'])
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return
  await trx.updateTable('message').set({ problem }).where('id', '=', wave.messageId).execute()
  await insertAuthorNotices(trx, wave.messageId, 'parked')
}

/**
 * Resumes a parked wave; while one of its batches keeps failing, the wave still shows as parked. Requires the locks of
 * message and wave.
 */
export async function unparkWave(trx: Trx, { waveId, messageId }: WaveIds): Promise<void> {
  await sql`
    with stuck as (
      select exists (
        select from batch where wave_id = ${waveId} and state = 'open' and tries >= ${stuckAfter.tries}
          and code is distinct from ${doubtedCode} and failing_since <= clock_timestamp() - ${milliseconds(stuckAfter.ms)}
      ) as any
    ),
    unparked as (
      update wave
      set probe_at = null, parked = case when stuck.any then case when parked in ('provider', 'provider_quota') then parked else 'provider' end end,
        parked_at = case when stuck.any then parked_at end
      from stuck where id = ${waveId}
      returning parked
    )
    update message set problem = unparked.parked from unparked where id = ${messageId}
  `.execute(trx)
}

/**
 * Puts off every open batch of a wave's channel, because a limit of the account holds: none of them is a probe until
 * then, and other channels go on. Requires the wave's lock.
 */
export async function putOffBatches(
  trx: Trx,
  { waveId, channel }: { waveId: string; channel: Channel },
  ms: number,
): Promise<void> {
  await sql`
    update batch set not_before = greatest(not_before, ${msFromNow(ms)})
    where wave_id = ${waveId} and channel = ${channel} and state = 'open'
  `.execute(trx)
}

/** Makes a parked wave's probe and its deferred batches due now; its pace is kept. Requires the wave's lock. */
export async function probeNow(trx: Trx, waveId: string): Promise<void> {
  await sql`update wave set probe_at = clock_timestamp() where id = ${waveId} and probe_at is not null`.execute(
    trx,
  )
  await sql`
    update batch set not_before = null
    where wave_id = ${waveId} and state = 'open' and (tries > 0 or not exists (
      select from wave join message on message.id = wave.message_id where wave.id = ${waveId} and pace is not null
    ))
  `.execute(trx)
}

/** When a parked wave is retried: its next probe, or the next try of a failing batch. For queries of a wave. */
export function nextTryAt(wave: string) {
  const of = sql.ref(wave)
  return sql<Date | null>`case when ${of}.parked is not null then coalesce(${of}.probe_at, (
    select max(mail_server.probe_at) from mail_server where ${of}.parked = ${doubtedCode} and ${isDoubted}
  ), (
    select min(greatest(not_before, clock_timestamp())) from batch
    where batch.wave_id = ${of}.id and batch.state = 'open' and failing_since is not null
  ), clock_timestamp()) end`
}

/** Stops claims of a wave; its remaining recipients will be skipped. Requires the wave's lock. */
export async function skipRemaining(trx: Trx, waveId: string): Promise<void> {
  await trx.updateTable('wave').set({ skip_remaining: true }).where('id', '=', waveId).execute()
}
