import { randomUUID } from 'node:crypto'
import type { CallContent } from '../../channels/channel.ts'
import type { Sender } from '../../channels/connection.ts'
import { adapters } from '../../channels/index.ts'
import type { Channel } from '../../contract/enums.ts'
import { type Claim, type ClaimedBatch, claimBatch, whenClaimable } from '../../db/queries/delivery/batch.ts'
import { findWaveInfo, type WaveInfo } from '../../db/queries/delivery/wave.ts'
import { lockMessage } from '../../services/messages/move.ts'
import { doubtableServer } from '../../services/suppression/handle-bounce.ts'
import { type BatchContext, type BatchResult, holdLease } from './batch-context.ts'
import { sendCallBatch } from './call-batch.ts'
import { type ActivityAttempt, type DeliveryContext, sliceMs, withHeartbeat } from './context.ts'
import { parkForDoubt } from './park-for-doubt.ts'
import { sendRecipientBatch } from './recipient-batch.ts'
import { tallySlice } from './tally.ts'

/** `more`: call again after `waitMs`. `counts`: batches by result, and calls of the provider. */
export type SliceResult = { more: boolean; waitMs: number; counts: SliceCounts }
export type SliceCounts = Record<BatchResult | 'calls', number>

/** One lane of a wave on one channel. */
export type Lane = { wave: WaveInfo; channel: Channel }

/** A claim that was asked for at `askedAt`, on this process' monotonic clock (ms). */
export type HeldBatch = { claim: Claim; claimed: ClaimedBatch; askedAt: number }

/** The wait of a lane whose worker has no sender for the channel and leaves it to other workers. */
const noSenderWaitMs = 10_000

export const zeroCounts: SliceCounts = { done: 0, halved: 0, again: 0, lost: 0, calls: 0 }
const emptySlice: SliceResult = { more: false, waitMs: 0, counts: zeroCounts }

/**
 * Sends batches of a wave until none can be claimed, the slice's time is up, or the worker shuts down; then tallies the
 * finished ones. Safe to run in several lanes, workers and attempts at once.
 */
export async function sendSlice(
  delivery: DeliveryContext,
  step: ActivityAttempt,
  waveId: string,
  channel: Channel,
): Promise<SliceResult> {
  const wave = await findWaveInfo(delivery.services.db, waveId)
  if (!wave) return emptySlice
  if (!delivery.senders[channel]) return { ...emptySlice, more: true, waitMs: noSenderWaitMs }
  const counts = { ...zeroCounts }
  return withHeartbeat(step, counts, async () => {
    const rest = await sendBatches(delivery, step, { wave, channel }, counts)
    await tallySlice(delivery.services, wave)
    return { ...rest, counts }
  })
}

/** Sends the slice's batches one after another, `first` before those that it claims; returns when to call again. */
export async function sendBatches(
  delivery: DeliveryContext,
  step: ActivityAttempt,
  lane: Lane,
  counts: SliceCounts,
  first: HeldBatch | null = null,
): Promise<Pick<SliceResult, 'more' | 'waitMs'>> {
  const deadline = performance.now() + sliceMs
  let held = first
  while (!delivery.drain.draining && performance.now() < deadline) {
    const next = held ?? (await claimNext(delivery, step, lane))
    if (!next) return whenToContinue(delivery, step, lane)
    held = null
    const end = await sendHeld(delivery, lane.wave, next, counts)
    counts[end] += 1
    if (next.claimed.last && end === 'done') return { more: false, waitMs: 0 }
  }
  return { more: true, waitMs: 0 }
}

/** Claims the next free batch; undefined if there is none now. */
async function claimNext(
  delivery: DeliveryContext,
  step: ActivityAttempt,
  { wave, channel }: Lane,
): Promise<HeldBatch | undefined> {
  if (delivery.breaker.waitMs(channel) > 0) return undefined
  const { db } = delivery.services
  const askedAt = performance.now()
  const of = { waveId: wave.waveId, channel, claimId: randomUUID() }
  const { quotaTimeZone } = delivery.services
  const claimed = await claimBatch(db, of, step, {
    quotaTimeZone,
    server: doubtableServer(delivery.services, channel),
    paced: wave.pace !== null,
  })
  return claimed && { claim: { ...of, number: claimed.number }, claimed, askedAt }
}

/** Sends a batch while its lease is renewed. */
async function sendHeld(
  delivery: DeliveryContext,
  wave: WaveInfo,
  { claim, claimed, askedAt }: HeldBatch,
  counts: SliceCounts,
): Promise<BatchResult> {
  const claimedAt = performance.now()
  const lease = holdLease(delivery.services.db, claim, askedAt, claimed.expiresInMs)
  try {
    return await sendBatch({ delivery, wave, claim, claimed, lease, counts, claimedAt })
  } finally {
    lease.end()
  }
}

/** Sends a claimed batch. The worker must have a sender for its channel. */
export function sendBatch(work: BatchContext): Promise<BatchResult> {
  return sendBatchOn(work, work.claim.channel)
}

function sendBatchOn<C extends Channel>(work: BatchContext, channel: C): Promise<BatchResult> {
  const { compiled } = work.wave
  const parts = compiled[channel]?.locales[work.claimed.locale]?.parts
  const calls: CallContent[C][] = parts ? adapters[channel].callsOf(parts) : []
  const sender: Sender<C> = work.delivery.senders[channel]!
  return sender.outcomePer === 'call'
    ? sendCallBatch(work, sender, calls)
    : sendRecipientBatch(work, sender, calls[0])
}

async function whenToContinue(
  { services, breaker }: DeliveryContext,
  { runId }: ActivityAttempt,
  { wave, channel }: Lane,
): Promise<Pick<SliceResult, 'more' | 'waitMs'>> {
  const { sending, open, waitMs, doubted, parked } = await whenClaimable(
    services.db,
    { waveId: wave.waveId, channel },
    { runId, quotaTimeZone: services.quotaTimeZone, server: doubtableServer(services, channel) },
  )
  if (!sending || open === 0 || waitMs === null) return { more: false, waitMs: 0 }
  if (doubted && !parked)
    await services.db.transaction().execute(async (trx) => {
      await lockMessage(trx, wave.messageId)
      await parkForDoubt(trx, wave)
    })
  return { more: true, waitMs: Math.ceil(Math.max(waitMs, breaker.waitMs(channel), 0)) }
}
