import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { MessageState } from '../../contract/enums.ts'
import type { Trx } from '../../db/connect.ts'
import { announceFailures } from '../../db/queries/callback/failures.ts'
import {
  counterColumns,
  countPeople,
  setCounters,
  subtractPending,
  type TallyResult,
  takeFinished,
  type WaveCounters,
} from '../../db/queries/delivery/counters.ts'
import { repeatUnknown } from '../../db/queries/delivery/move-mails.ts'
import { failedDeliveriesOf, findCountedPeople, setShortfall } from '../../db/queries/delivery/shortfall.ts'
import { findActiveWaveInfo, type WaveInfo } from '../../db/queries/delivery/wave.ts'
import { type RemainingSkipReason, skipFreeBatches } from '../../db/queries/delivery/wave-end.ts'
import { markMessageClosed } from '../../db/queries/message/message.ts'
import { insertAuthorNotices } from '../../db/queries/notice/author-notice.ts'
import { releaseAll, settleAndRelease } from '../../db/queries/quota/quota.ts'
import { type RunView, viewOfClosed } from '../../db/queries/run/observe.ts'
import type { WaveRow } from '../../db/tables.ts'
import type { WaveResult } from '../../domain/message/message-state.ts'
import { shortOf } from '../../domain/message/shortfall.ts'
import { sendsSeveral, statsOf, sumOfCounts } from '../../domain/message/stats.ts'
import { isOpenWave } from '../../domain/message/waves.ts'
import { countRunEnd } from '../../metrics/runs.ts'
import { countTallied } from '../../metrics/sending.ts'
import type { Services } from '../../services/context.ts'
import {
  activeWave,
  applyMove,
  type LockedMessage,
  lockMessage,
  wavesOf,
} from '../../services/messages/move.ts'
import { type ActivityAttempt, type DeliveryContext, sliceMs, withHeartbeat } from './context.ts'
import { settledBy, settleTally } from './tally.ts'
import { batchSizes } from './write-deliveries.ts'

/** `more`: call again. `closed`: nothing can happen to the message any more. */
type FinishResult = { more: boolean; closed: boolean }

/** Batches skipped in one transaction: at most 10,000 rows. */
const batchesAtOnce = 20
/** How often to check a batch whose call is in flight. */
const inFlightPollMs = 200

/**
 * Finishes the active wave and closes its message: skips the remaining recipients after a cancel, stop, expiry or skip,
 * a slice at a time; waits for calls in flight; then decides the outcome from the counters, releases the reservation
 * and closes the message, unless a reminder is to follow. Does nothing while there is something to send.
 */
export async function finishWave(
  delivery: DeliveryContext,
  step: ActivityAttempt,
  messageId: string,
): Promise<FinishResult> {
  const { services, drain } = delivery
  const { db } = services
  const wave = await findActiveWaveInfo(db, messageId)
  const counts = { skipped: 0 }
  const deadline = performance.now() + sliceMs
  return withHeartbeat(step, counts, async () => {
    for (;;) {
      const skipped = wave ? await db.transaction().execute((trx) => skipSlice(trx, wave)) : 0
      counts.skipped += skipped
      const stop = drain.draining || performance.now() > deadline
      if (skipped > 0 && !stop) continue
      const { end } = await closeMessage(services, messageId, wave)
      if (end !== 'left' || stop) return { more: end === 'left', closed: end === 'closed' }
      await sleep(inFlightPollMs)
    }
  })
}

/** Locks neither message nor wave: a reason to skip is permanent, and no batch can be claimed while it holds. */
async function skipSlice(trx: Trx, wave: WaveInfo): Promise<number> {
  const reason = skipReasonOf(wave)
  return reason ? skipFreeBatches(trx, wave.waveId, reason, batchesAtOnce) : 0
}

function skipReasonOf({ state, skipRemaining, expired }: WaveInfo): RemainingSkipReason | null {
  if (state === 'cancelled' || state === 'stopped' || state === 'expired') return state
  if (skipRemaining) return 'parked'
  return state === 'sending' && expired ? 'expired' : null
}

/** `open`: not ending yet. `left`: ending, with open batches to end first. */
type CloseResult = 'open' | 'left' | 'closed'

/** `view`: of a message that this has closed, if its row says that the run knows. */
type Closed = { end: CloseResult; view: RunView | null }

const statesBeforeSend: readonly MessageState[] = ['draft', 'submitted', 'approved', 'paused']

/** A close, and what it has changed: `counted` batches, and the wave that ended with it. */
type Closing = { end: CloseResult; counted?: TallyResult; ended?: WaveRow | null; view?: RunView | null }

/**
 * Tallies the finished batches of the active wave. If none is open, decides how the wave ended, releases the
 * reservation and closes the message; a sent message stays open until its reminder is over.
 */
export async function closeMessage(
  { db, log }: Pick<Services, 'db' | 'log'>,
  messageId: string,
  wave: WaveInfo | undefined,
): Promise<Closed> {
  const {
    end,
    counted,
    ended,
    view = null,
  } = await db.transaction().execute((trx) => closeInTransaction(trx, messageId, wave))
  if (counted) countTallied(counted.finished)
  // A wave that wrote no deliveries did not begin to send.
  if (ended && counted && ended.expected !== null) logEnd(log, messageId, ended, counted.counters)
  if (view) countRunEnd('message', view.state)
  return { end, view }
}

/** Locks message, then waves; the ledger last. */
async function closeInTransaction(trx: Trx, messageId: string, wave: WaveInfo | undefined): Promise<Closing> {
  const locked = await lockMessage(trx, messageId)
  if (locked.message.closed_at) return { end: 'closed' }
  const up = activeWave(locked)
  if (up?.id !== wave?.waveId || !isEnding(locked, up)) return { end: 'open' }
  if (!wave || !up) {
    const end = await closeIfOver(trx, locked)
    await releaseAll(trx, ...closedWaveIds(locked))
    return { end, view: viewOfEnd(locked, end) }
  }
  const counted = await takeFinished(trx, up)
  await announceFailures(trx, wave, counted.failures)
  if (counted.othersOpen) {
    if (counted.finished.length > 0) await setCounters(trx, up.id, counted.counters)
    await settleTally(trx, wave, up, counted.finished)
    // The lanes send the open batches of a wave that can still send.
    return { end: canStillSend(locked, up) ? 'open' : 'left', counted }
  }
  const end = await endWave(trx, locked, { wave, up, counters: counted.counters })
  const closed = closedWaveIds(locked)
  if (closed.length > 0) await settleAndRelease(trx, settledBy(wave, up, counted.finished), closed)
  else await settleTally(trx, wave, up, counted.finished)
  Object.assign(up, counted.counters)
  const ended = closed.includes(up.id) ? up : null
  return { end, counted, ended, view: viewOfEnd(locked, end) }
}

function viewOfEnd(locked: LockedMessage, end: CloseResult): RunView | null {
  return end === 'closed' ? viewOfClosed(locked) : null
}

function logEnd(log: Logger, messageId: string, wave: WaveRow, counters: WaveCounters): void {
  const { id: waveId, number, state, shortfall } = wave
  const { sent, failed, unknown } = counters
  const skipped = sumOfCounts(counters.skipped)
  const ended = { messageId, waveId, reminder: number === 1, state, sent, failed, unknown, skipped }
  if (shortfall === null) log.info(ended, 'Send ended')
  else log.warn({ ...ended, ...shortfall }, 'Send ended and reached too few')
}

/** The active wave without open batches, and its counters with the last ones, which its row does not have yet. */
type EndingWave = { wave: WaveInfo; up: WaveRow; counters: WaveCounters }

/** Ends the active wave, and writes its counters; if its category repeats unknown mail, queues that mail instead. */
async function endWave(trx: Trx, locked: LockedMessage, ending: EndingWave): Promise<'open' | 'closed'> {
  const { wave, up, counters } = ending
  if (canStillSend(locked, up) && (await repeatUnknownMail(trx, wave, counters))) return 'open'
  if (up.expected !== null && sendsSeveral(up.by_channel, wave.plan.mode)) await countPeople(trx, up.id)
  if (up.state === 'sending') await finish(trx, locked, ending)
  else await setCounters(trx, up.id, counters)
  return locked.message.closed_at ? 'closed' : closeIfOver(trx, locked)
}

async function finish(trx: Trx, locked: LockedMessage, { wave, up, counters }: EndingWave): Promise<void> {
  const isShort = up.expected !== null && (await recordShortfall(trx, wave, up, counters))
  await applyMove(trx, locked, 'finish', {
    actor: 'system:run',
    byRun: true,
    result: resultOf(up, counters),
    closesIfOver: true,
    wave: counterColumns(counters),
  })
  if (isShort) await insertAuthorNotices(trx, locked.message.id, 'failed')
}

/** Closes a message none of whose waves is open; a sent one stays open until its reminder is over. */
async function closeIfOver(trx: Trx, locked: LockedMessage): Promise<'open' | 'closed'> {
  if (closedWaveIds(locked).length < wavesOf(locked).length) return 'open'
  locked.message = await markMessageClosed(trx, locked.message.id)
  return 'closed'
}

/** Records a send that reached nobody or far too few, with the reasons. Returns whether it did. */
async function recordShortfall(
  trx: Trx,
  { plan }: WaveInfo,
  up: WaveRow,
  { by_channel: byChannel, ...counted }: WaveCounters,
): Promise<boolean> {
  if (counted.failed === 0) return false
  const { id, expected } = up
  const counts = { ...counted, expected, byChannel, people: await findCountedPeople(trx, id) }
  const { people } = statsOf(counts, plan.mode)
  const short = people && shortOf(people)
  if (!short) return false
  up.shortfall = { ...short, reasons: await failedDeliveriesOf(trx, id) }
  await setShortfall(trx, id, up.shortfall)
  return true
}

/** The ids of the waves that have ended. */
function closedWaveIds(locked: LockedMessage): string[] {
  return wavesOf(locked).flatMap(({ id, state }) => (isOpenWave(state) ? [] : [id]))
}

/**
 * Whether the wave can end: its deliveries are written and it is neither waiting nor paused, or it can no longer send.
 */
function isEnding(locked: LockedMessage, up: WaveRow | null): boolean {
  if (statesBeforeSend.includes(locked.message.state) || up?.state === 'waiting' || up?.state === 'paused')
    return false
  return !canStillSend(locked, up) || up?.expected !== null
}

function canStillSend({ message, now }: LockedMessage, up: WaveRow | null): boolean {
  const { expires_at } = message
  return up?.state === 'sending' && !up.skip_remaining && (expires_at === null || now < expires_at.getTime())
}

/** A wave that expires before its deliveries are written counts as one expired recipient, and none sent. */
function resultOf(up: WaveRow, { sent, unknown, failed, skipped }: WaveCounters): WaveResult {
  if (up.expected === null) return { sent: 0, unknown: 0, failed: 0, expired: 1 }
  return { sent, unknown, failed, expired: skipped.expired ?? 0 }
}

/**
 * Queues mail of unknown outcome to be sent once more under the same Message-ID, if the category repeats it. The ledger
 * has counted it already. True if there is something to send. The caller holds the wave's lock.
 */
async function repeatUnknownMail(trx: Trx, wave: WaveInfo, counters: WaveCounters): Promise<boolean> {
  if (wave.onUnknown !== 'repeat' || !counters.by_channel.email?.unknown) return false
  const { moved } = await repeatUnknown(trx, wave.waveId, batchSizes.email)
  if (moved > 0) await setCounters(trx, wave.waveId, subtractPending(counters, 'email', 'unknown', moved))
  return moved > 0
}
