import { setTimeout as sleep } from 'node:timers/promises'
import type { Channel } from '../../contract/enums.ts'
import type { Trx } from '../../db/connect.ts'
import {
  ensureDeliveryPartition,
  insertDeliveries,
  type WrittenCounts,
} from '../../db/queries/delivery/deliveries.ts'
import { parkWave } from '../../db/queries/delivery/parking.ts'
import {
  findWaveInfo,
  lockForWriting,
  lockFrequencyCap,
  setExpected,
  type WaveInfo,
} from '../../db/queries/delivery/wave.ts'
import { monthOf } from '../../domain/month.ts'
import type { Services } from '../../services/context.ts'
import { activeWave, type LockedMessage, lockMessage } from '../../services/messages/move.ts'
import { type ActivityAttempt, type DeliveryContext, withHeartbeat } from './context.ts'
import { reserveForWave } from './tally.ts'

/** Members of a batch: the most that one provider call takes; for mail, what a kill may leave in doubt. */
export const batchSizes: Record<Channel, number> = { chat: 500, email: 64 }

/** How soon to ask again where somebody else writes rows. */
export const busyRetryMs = 500

/** The message was cancelled or expired while its rows were written: they are undone. */
class Superseded extends Error {}

/**
 * Writes a row for everybody whom the audience, or a reminder, names, and the batches, once: of two attempts at the
 * same time one waits and finds it done. The rows come without holding message or wave; these are locked only to say
 * how many there are.
 */
export async function writeDeliveries(
  { services }: DeliveryContext,
  step: ActivityAttempt,
  waveId: string,
): Promise<void> {
  const { db } = services
  const wave = await findWaveInfo(db, waveId)
  if (!wave || wave.expected !== null) return
  await ensureDeliveryPartition(db, waveId)
  await withHeartbeat(step, {}, async () => {
    while ((await writeOnce(services, wave)) === 'busy') await sleep(busyRetryMs)
  })
}

async function writeOnce(services: Services, wave: WaveInfo): Promise<'busy' | 'over'> {
  try {
    return await services.db.transaction().execute(async (trx) => {
      const alone = await lockForWriting(trx, wave.waveId)
      if (alone !== 'ours') return alone === 'busy' ? 'busy' : 'over'
      if (!(await lockFrequencyCap(trx, wave))) return 'busy'
      const written = await insertDeliveries(trx, wave.waveId, wave, batchSizes)
      const locked = await lockMessage(trx, wave.messageId)
      if (!canKeepDeliveries(locked, wave)) throw new Superseded()
      await recordWritten(services, trx, locked, wave, written)
      return 'over'
    })
  } catch (error) {
    if (error instanceof Superseded) return 'over'
    throw error
  }
}

/** Rows may stand while the wave is being sent, or will be again. Past the expiry they are skipped one by one. */
function canKeepDeliveries(locked: LockedMessage, { waveId }: WaveInfo): boolean {
  const up = activeWave(locked)
  return up?.id === waveId && (up.state === 'sending' || up.state === 'paused')
}

/** What was written is what is expected, and what is paid for; short of quota, the wave is parked before it begins. */
export async function recordWritten(
  { quotaTimeZone }: Pick<Services, 'quotaTimeZone'>,
  trx: Trx,
  { now }: LockedMessage,
  wave: WaveInfo,
  written: WrittenCounts,
): Promise<void> {
  await setExpected(trx, wave.waveId, written)
  const month = monthOf(new Date(now), quotaTimeZone)
  if (!(await reserveForWave(trx, wave, month, pendingOf(written))))
    await parkWave(trx, wave, { problem: 'quota', gate: true })
}

/** Deliveries that are to be made, by channel. */
function pendingOf({ byChannel }: WrittenCounts): Partial<Record<Channel, number>> {
  const pending = Object.entries(byChannel).map(([channel, { expected, skipped }]) => [
    channel,
    expected - Object.values(skipped).reduce((sum, count) => sum + count, 0),
  ])
  return Object.fromEntries(pending)
}
