import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { byChannel } from '../../channels/facts/by-channel.ts'
import {
  ensureDeliveryPartition,
  insertDeliveries,
  type WrittenCounts,
} from '../../db/queries/delivery/deliveries.ts'
import {
  findWaveInfo,
  lockForWriting,
  lockFrequencyCap,
  setExpected,
  type WaveInfo,
} from '../../db/queries/delivery/wave.ts'
import { sumOfCounts } from '../../domain/message/stats.ts'
import { countWritten } from '../../metrics/sending.ts'
import type { Services } from '../../services/context.ts'
import { activeWave, type LockedMessage, lockMessage } from '../../services/messages/move.ts'
import { AudienceDrifted, assertAsApproved } from './check-audience.ts'
import type { DeliveryContext } from './context.ts'
import { returnToReview } from './start-wave.ts'

/** Members of a batch, by channel. */
export const batchSizes = byChannel(({ batchSize }) => batchSize)

/** How soon to retry while another transaction writes deliveries. */
export const busyRetryMs = 500

/** The message was cancelled or expired while its deliveries were written: they are rolled back. */
class Superseded extends Error {}

/**
 * Writes a delivery for each subject of the audience or the reminder, and the batches, once: of two simultaneous
 * attempts, one waits and finds them written. Locks message and wave only at the end, to record the counts. None of the
 * batches can be claimed before their quota is reserved.
 * If the audience changed after the wave started, nothing is written and the message returns to review.
 */
export async function writeDeliveries({ services }: DeliveryContext, waveId: string): Promise<void> {
  const { db } = services
  const wave = await findWaveInfo(db, waveId)
  if (!wave || wave.expected !== null) return
  await ensureDeliveryPartition(db, waveId)
  while ((await writeOnce(services, wave)) === 'busy') await sleep(busyRetryMs)
}

async function writeOnce(services: Services, wave: WaveInfo): Promise<'busy' | 'over'> {
  try {
    const outcome = await services.db.transaction().execute(async (trx) => {
      const lock = await lockForWriting(trx, wave.waveId)
      if (lock !== 'locked') return lock === 'busy' ? 'busy' : 'over'
      if (!(await lockFrequencyCap(trx, wave))) return 'busy'
      const counts = await insertDeliveries(trx, wave.waveId, wave, batchSizes)
      await assertAsApproved(trx, wave, counts)
      const locked = await lockMessage(trx, wave.messageId)
      if (!canKeepDeliveries(locked, wave)) throw new Superseded()
      await setExpected(trx, wave.waveId, counts)
      return counts
    })
    if (typeof outcome === 'string') return outcome
    noteBegin(services.log, wave, outcome)
    return 'over'
  } catch (error) {
    if (error instanceof Superseded) return 'over'
    if (!(error instanceof AudienceDrifted)) throw error
    await returnToReview(services, wave, error.drift)
    return 'over'
  }
}

/** After the commit: a wave's deliveries are written once, so it begins once. */
export function noteBegin(log: Logger, wave: WaveInfo, counts: WrittenCounts): void {
  countWritten(counts)
  const { messageId, waveId, unitId, reminds } = wave
  const skipped = sumOfCounts(counts.skipped)
  const pending = counts.expected - skipped
  log.info({ messageId, waveId, unitId, reminder: reminds !== null, pending, skipped }, 'Send begun')
}

/** Deliveries are kept if the wave is sending or paused. Past the expiry, finishing the wave skips them. */
function canKeepDeliveries(locked: LockedMessage, { waveId }: WaveInfo): boolean {
  const up = activeWave(locked)
  return up?.id === waveId && (up.state === 'sending' || up.state === 'paused')
}
