import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { Logger } from 'pino'
import { callsPerRecipient } from '../../channels/channel.ts'
import { byChannel } from '../../channels/facts/by-channel.ts'
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
import type { Reserved } from '../../db/queries/quota/reservation.ts'
import { monthOf } from '../../domain/lib/month.ts'
import { sumOfCounts } from '../../domain/message/stats.ts'
import { countWritten } from '../../metrics/sending.ts'
import type { Services } from '../../services/context.ts'
import { activeWave, type LockedMessage, lockMessage } from '../../services/messages/move.ts'
import { AudienceDrifted, assertAsApproved, pendingOf } from './check-audience.ts'
import { type ActivityAttempt, type DeliveryContext, withHeartbeat } from './context.ts'
import { returnToReview } from './start-wave.ts'
import { reserveForWave } from './tally.ts'

/** Members of a batch, by channel. */
export const batchSizes = byChannel(({ batchSize }) => batchSize)

/** How soon to retry while another transaction writes deliveries. */
export const busyRetryMs = 500

/** The message was cancelled or expired while its deliveries were written: they are rolled back. */
class Superseded extends Error {}

/**
 * Writes a delivery for each subject of the audience or the reminder, and the batches, once: of two simultaneous
 * attempts, one waits and finds them written. Locks message and wave only at the end, to record the counts.
 * If the audience changed after the wave started, nothing is written and the message returns to review.
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
    const written = await services.db.transaction().execute(async (trx) => {
      const lock = await lockForWriting(trx, wave.waveId)
      if (lock !== 'locked') return lock === 'busy' ? 'busy' : 'over'
      if (!(await lockFrequencyCap(trx, wave))) return 'busy'
      const counts = await insertDeliveries(trx, wave.waveId, wave, batchSizes)
      await assertAsApproved(trx, wave, counts)
      const locked = await lockMessage(trx, wave.messageId)
      if (!canKeepDeliveries(locked, wave)) throw new Superseded()
      await recordWritten(services, trx, locked, wave, counts)
      return counts
    })
    if (typeof written === 'string') return written
    noteBegin(services.log, wave, written)
    return 'over'
  } catch (error) {
    if (error instanceof Superseded) return 'over'
    if (!(error instanceof AudienceDrifted)) throw error
    await returnToReview(services, wave, error.found)
    return 'over'
  }
}

/** After the commit: a wave's deliveries are written once, so it begins once. */
export function noteBegin(log: Logger, wave: WaveInfo, written: WrittenCounts): void {
  countWritten(written)
  const { messageId, waveId, unitId, reminds } = wave
  const skipped = sumOfCounts(written.skipped)
  const pending = written.expected - skipped
  log.info({ messageId, waveId, unitId, reminder: reminds !== null, pending, skipped }, 'Send begun')
}

/** Deliveries are kept if the wave is sending or paused. Past the expiry, finishing the wave skips them. */
function canKeepDeliveries(locked: LockedMessage, { waveId }: WaveInfo): boolean {
  const up = activeWave(locked)
  return up?.id === waveId && (up.state === 'sending' || up.state === 'paused')
}

/** Records the written counts as expected, and reserves quota for them. */
async function recordWritten(
  services: Pick<Services, 'quotaTimeZone'>,
  trx: Trx,
  locked: LockedMessage,
  wave: WaveInfo,
  written: WrittenCounts,
): Promise<void> {
  await setExpected(trx, wave.waveId, written)
  await reserveWritten(services, trx, locked, wave, written)
}

/** Whether a wave held just what these deliveries cost when it was read, in the month in which it is sent. */
export function isReservedFor(
  { quotaTimeZone }: Pick<Services, 'quotaTimeZone'>,
  { now }: LockedMessage,
  { reserved, month, compiled, plan }: WaveInfo,
  written: WrittenCounts,
): boolean {
  const pending = pendingOf(written)
  const costs = plan.channels.flatMap((channel): Reserved[] => {
    const pushes = (pending[channel] ?? 0) * callsPerRecipient(compiled, channel)
    return pushes > 0 ? [{ channel, month, pushes }] : []
  })
  const isHeld = (cost: Reserved) => reserved.some((one) => isDeepStrictEqual(one, cost))
  return (
    monthOf(new Date(now), quotaTimeZone) <= month && reserved.length === costs.length && costs.every(isHeld)
  )
}

/** Reserves quota for the deliveries that were written; if it is short, parks the wave before it sends. */
export async function reserveWritten(
  { quotaTimeZone }: Pick<Services, 'quotaTimeZone'>,
  trx: Trx,
  { now }: LockedMessage,
  wave: WaveInfo,
  written: WrittenCounts,
): Promise<void> {
  const month = monthOf(new Date(now), quotaTimeZone)
  if (!(await reserveForWave(trx, wave, month, pendingOf(written))))
    await parkWave(trx, wave, { problem: 'quota', gate: true })
}
