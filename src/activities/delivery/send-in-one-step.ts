import { setTimeout as sleep } from 'node:timers/promises'
import type { Channel } from '../../contract/enums.ts'
import { oneStepActivity } from '../../db/queries/delivery/batch.ts'
import {
  ensureDeliveryPartition,
  insertDeliveries,
  lacksPartition,
} from '../../db/queries/delivery/deliveries.ts'
import {
  expectedColumns,
  findActiveWaveInfo,
  lockFrequencyCap,
  type WaveInfo,
} from '../../db/queries/delivery/wave.ts'
import { momentOf } from '../../db/uuid-lower-bound.ts'
import type { Services } from '../../services/context.ts'
import { applyMove, lockMessage } from '../../services/messages/move.ts'
import { stepLimitMs } from '../next-step.ts'
import { AudienceDrifted, assertAsApproved, checkAudience } from './check-audience.ts'
import { type ActivityAttempt, type DeliveryContext, withHeartbeat } from './context.ts'
import { closeMessage } from './finish-wave.ts'
import { sendBatches, zeroCounts } from './send-slice.ts'
import { byRun, isDue, returnIfOther, returnToReview } from './start-wave.ts'
import { tallySlice } from './tally.ts'
import {
  batchSizes,
  busyRetryMs,
  isReservedFor,
  noteBegin,
  reserveWritten,
  writeDeliveries,
} from './write-deliveries.ts'

/** `more`: call again after `waitMs`. Neither `more` nor `closed`: `nextStep` decides. */
export type OneStepResult = { more: boolean; waitMs: number; closed: boolean }

/**
 * Sends a small wave on one channel from start to close: starts it with its deliveries in one transaction, sends it,
 * then tallies and closes it in another. After an interruption the next attempt continues from the rows.
 */
export async function sendInOneStep(
  delivery: DeliveryContext,
  activity: ActivityAttempt,
  messageId: string,
  channel: Channel,
): Promise<OneStepResult> {
  const { services, senders } = delivery
  const wave = await findActiveWaveInfo(services.db, messageId)
  if (!wave || !senders[channel]) return { more: false, waitMs: 0, closed: false }
  const step = numbered(activity, wave)
  const counts = { ...zeroCounts }
  return withHeartbeat(step, counts, async () => {
    await startWithRows(delivery, step, wave)
    const rest = await sendBatches(delivery, step, { wave, channel }, counts)
    if (rest.more) {
      await tallySlice(services, wave)
      return { ...rest, closed: false }
    }
    const end = await closeMessage(services, messageId, wave)
    return { more: false, waitMs: 0, closed: end === 'closed' }
  })
}

/**
 * The attempt under one name for local activities and others, numbered by tenths of a second since the wave was made: one
 * that begins later continues what an earlier one has claimed. Temporal would count from one again once the worker of a
 * local activity has died, and where the run goes on with another activity.
 */
function numbered(activity: ActivityAttempt, { waveId, readAt }: WaveInfo): ActivityAttempt {
  const tenths = Math.floor((readAt.getTime() - momentOf(waveId)) / 100)
  const attempt = tenths + activity.attempt
  return { ...activity, activityId: oneStepActivity, attempt }
}

/**
 * Starts a wave that is due and writes its deliveries in one transaction; keeps what an earlier attempt has written.
 */
async function startWithRows(
  delivery: DeliveryContext,
  step: ActivityAttempt,
  wave: WaveInfo,
): Promise<void> {
  const { services } = delivery
  if (wave.state !== 'waiting') return writeDeliveries(delivery, step, wave.waveId)
  for (;;) {
    const end = await tryStartWithRows(services, wave)
    if (end === 'over') return
    if (end === 'busy') await sleep(busyRetryMs)
  }
}

async function tryStartWithRows(services: Services, wave: WaveInfo): Promise<'busy' | 'again' | 'over'> {
  const checked = await checkAudience(services, wave)
  try {
    const written = await services.db.transaction().execute(async (trx) => {
      if (!(await lockFrequencyCap(trx, wave))) return 'busy'
      const locked = await lockMessage(trx, wave.messageId)
      if (!isDue(locked, wave)) return 'over'
      // A wave's reservation changes with a move of its message, and with the check of its audience.
      const asRead = checked === null && locked.message.version === wave.version
      if (await returnIfOther(services, trx, locked, wave, checked)) return 'over'
      const counts = await insertDeliveries(trx, wave.waveId, wave, batchSizes)
      await assertAsApproved(trx, wave, counts)
      const observes = { inMs: stepLimitMs }
      await applyMove(trx, locked, 'start', { ...byRun, observes, wave: expectedColumns(counts) })
      if (!asRead || !isReservedFor(services, locked, wave, counts))
        await reserveWritten(services, trx, locked, wave, counts)
      return counts
    })
    if (typeof written === 'string') return written
    noteBegin(services.log, wave, written)
    return 'over'
  } catch (error) {
    if (lacksPartition(error)) {
      await ensureDeliveryPartition(services.db, wave.waveId)
      return 'again'
    }
    if (!(error instanceof AudienceDrifted)) throw error
    await returnToReview(services, wave, error.found)
    return 'over'
  }
}
