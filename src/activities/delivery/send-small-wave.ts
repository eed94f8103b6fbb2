import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Channel } from '../../contract/enums.ts'
import { claimOnlyBatch, isAwake, smallWaveActivity, untriedBatch } from '../../db/queries/delivery/batch.ts'
import {
  ensureDeliveryPartition,
  insertDeliveries,
  lacksPartition,
  type WrittenDeliveries,
} from '../../db/queries/delivery/deliveries.ts'
import {
  expectedColumns,
  findActiveWaveInfo,
  lockFrequencyCap,
  type WaveInfo,
} from '../../db/queries/delivery/wave.ts'
import type { RunView } from '../../db/queries/run/observe.ts'
import { momentOf } from '../../db/uuid-lower-bound.ts'
import { monthOf } from '../../domain/lib/month.ts'
import { applyMove, type LockedMessage, lockMessage } from '../../services/messages/move.ts'
import { doubtableServer } from '../../services/suppression/handle-bounce.ts'
import { stepLimitMs } from '../read-message.ts'
import { AudienceDrifted, assertAsApproved, checkAudience, pendingOf } from './check-audience.ts'
import { type ActivityAttempt, type DeliveryContext, withHeartbeat } from './context.ts'
import { closeMessage } from './finish-wave.ts'
import { isReservedFor, reserveOrPark } from './reserve-quota.ts'
import { type HeldBatch, type Lane, sendBatches, zeroCounts } from './send-slice.ts'
import { byRun, isDue, returnIfOther, returnToReview } from './start-wave.ts'
import { tallySlice } from './tally.ts'
import { batchSizes, busyRetryMs, noteBegin } from './write-deliveries.ts'

/**
 * `more`: call again after `waitMs`. Neither `more` nor `closed`: the run reads it again. `view`: of a message that this has
 * closed, if its row says that the run knows. `calls`: of the provider.
 */
export type SmallWaveResult = {
  more: boolean
  waitMs: number
  closed: boolean
  view: RunView | null
  calls: number
}

/**
 * Sends a small wave on one channel from start to close: starts it with its deliveries in one transaction, sends it,
 * then tallies and closes it in another. After an interruption the next attempt continues from the rows.
 */
export async function sendSmallWave(
  delivery: DeliveryContext,
  activity: ActivityAttempt,
  messageId: string,
  channel: Channel,
): Promise<SmallWaveResult> {
  const { services, senders } = delivery
  const wave = await findActiveWaveInfo(services.db, messageId)
  if (!wave || !senders[channel]) return { more: false, waitMs: 0, closed: false, view: null, calls: 0 }
  const step = numbered(activity, wave)
  const counts = { ...zeroCounts }
  return withHeartbeat(step, counts, async () => {
    const held = await startWithRows(delivery, step, { wave, channel })
    const rest = await sendBatches(delivery, step, { wave, channel }, counts, held)
    if (rest.more) {
      await tallySlice(services, wave)
      return { ...rest, closed: false, view: null, calls: counts.calls }
    }
    const { end, view } = await closeMessage(services, messageId, wave)
    return { more: false, waitMs: 0, closed: end === 'closed', view, calls: counts.calls }
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
  return { ...activity, activityId: smallWaveActivity, attempt }
}

/**
 * Starts a wave that is due, writes its deliveries and reserves their quota, in one transaction; keeps what an earlier
 * attempt has written. Returns the wave's batch if it was claimed with the start.
 */
async function startWithRows(
  delivery: DeliveryContext,
  step: ActivityAttempt,
  lane: Lane,
): Promise<HeldBatch | null> {
  const { wave } = lane
  while (wave.state === 'waiting') {
    const end = await tryStartWithRows(delivery, step, lane)
    if (end === 'busy') await sleep(busyRetryMs)
    else if (end !== 'again') return end
  }
  return null
}

async function tryStartWithRows(
  delivery: DeliveryContext,
  step: ActivityAttempt,
  { wave, channel }: Lane,
): Promise<'busy' | 'again' | HeldBatch | null> {
  const { services } = delivery
  const checked = await checkAudience(services, wave)
  try {
    const outcome = await services.db.transaction().execute(async (trx) => {
      if (!(await lockFrequencyCap(trx, wave))) return 'busy'
      const locked = await lockMessage(trx, wave.messageId)
      if (!isDue(locked, wave)) return null
      // A wave's reservation changes with a move of its message, and with the check of its audience.
      const asRead = checked === null && locked.message.version === wave.version
      if (await returnIfOther(services, trx, locked, wave, checked)) return null
      const counts = await insertDeliveries(trx, wave.waveId, wave, batchSizes)
      await assertAsApproved(trx, wave, counts)
      const month = monthOf(new Date(locked.now), services.quotaTimeZone)
      const isReserved = asRead && isReservedFor(wave, month, counts)
      const held = isReserved ? onlyBatch(delivery, locked, { wave, channel }, counts) : null
      await applyMove(trx, locked, 'start', {
        ...byRun,
        observes: { inMs: stepLimitMs },
        wave: { ...expectedColumns(counts), ...(held && { claimed: isAwake(channel) }) },
        extraCte: held && ((query) => claimOnlyBatch(query, held.claim, step)),
      })
      if (!isReserved) await reserveOrPark(trx, wave, month, pendingOf(counts))
      return { counts, held }
    })
    if (outcome === null || outcome === 'busy') return outcome
    noteBegin(services.log, wave, outcome.counts)
    return outcome.held
  } catch (error) {
    if (lacksPartition(error)) {
      await ensureDeliveryPartition(services.db, wave.waveId)
      return 'again'
    }
    if (!(error instanceof AudienceDrifted)) throw error
    await returnToReview(services, wave, error.drift)
    return null
  }
}

/**
 * The only batch of a wave that starts, to be claimed with the start: it spares the wave a statement. Null if there are
 * none or several, or something may stand in its way, which `claimBatch` looks at: a mail server that is doubted, a
 * channel that pauses.
 */
function onlyBatch(
  { services, breaker }: DeliveryContext,
  { message, now }: LockedMessage,
  { wave: { waveId }, channel }: Lane,
  deliveries: WrittenDeliveries,
): HeldBatch | null {
  const [locale, ...others] = deliveries.locales[channel] ?? []
  const isOne = others.length === 0 && (pendingOf(deliveries)[channel] ?? 0) <= batchSizes[channel]
  if (locale === undefined || !isOne) return null
  if (doubtableServer(services, channel) !== null || breaker.waitMs(channel) > 0) return null
  const expiresInMs = message.expires_at && message.expires_at.getTime() - now
  return {
    claim: { waveId, channel, number: 0, claimId: randomUUID() },
    claimed: { ...untriedBatch, locale, expiresInMs },
    askedAt: performance.now(),
  }
}
