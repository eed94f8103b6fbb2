import { setTimeout as sleep } from 'node:timers/promises'
import type { Channel } from '../../contract/enums.ts'
import { oneStepActivity } from '../../db/queries/delivery/batch.ts'
import { insertDeliveries } from '../../db/queries/delivery/deliveries.ts'
import { findActiveWaveInfo, lockFrequencyCap, type WaveInfo } from '../../db/queries/delivery/wave.ts'
import { momentOf } from '../../db/uuid-lower-bound.ts'
import type { Services } from '../../services/context.ts'
import { lockMessage } from '../../services/messages/move.ts'
import { AudienceDrifted, assertAsApproved, checkAudience } from './check-audience.ts'
import { type ActivityAttempt, type DeliveryContext, withHeartbeat } from './context.ts'
import { closeMessage } from './finish-wave.ts'
import { sendBatches, zeroCounts } from './send-slice.ts'
import { isDue, returnToReview, startOrDrift } from './start-wave.ts'
import { tallySlice } from './tally.ts'
import { batchSizes, busyRetryMs, noteBegin, recordWritten, writeDeliveries } from './write-deliveries.ts'

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
  while ((await tryStartWithRows(services, wave)) === 'busy') await sleep(busyRetryMs)
}

async function tryStartWithRows(services: Services, wave: WaveInfo): Promise<'busy' | 'over'> {
  const checked = await checkAudience(services, wave)
  try {
    const written = await services.db.transaction().execute(async (trx) => {
      if (!(await lockFrequencyCap(trx, wave))) return 'busy'
      const locked = await lockMessage(trx, wave.messageId)
      if (!isDue(locked, wave)) return 'over'
      if (!(await startOrDrift(services, trx, locked, wave, checked))) return 'over'
      const counts = await insertDeliveries(trx, wave.waveId, wave, batchSizes)
      await assertAsApproved(trx, wave, counts)
      await recordWritten(services, trx, locked, wave, counts)
      return counts
    })
    if (typeof written === 'string') return written
    noteBegin(services.log, wave, written)
    return 'over'
  } catch (error) {
    if (!(error instanceof AudienceDrifted)) throw error
    await returnToReview(services, wave, error.found)
    return 'over'
  }
}
