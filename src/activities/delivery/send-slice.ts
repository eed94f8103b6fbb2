import { randomUUID } from 'node:crypto'
import type { Channel } from '../../contract/enums.ts'
import { claimBatch, outlook } from '../../db/queries/delivery/batch.ts'
import { type WaveBrief, waveBrief } from '../../db/queries/delivery/wave.ts'
import { accountForSlice } from './account.ts'
import { type BatchEnd, holdLease, type Work } from './batch-work.ts'
import { sendChatBatch } from './chat-batch.ts'
import { beating, type Delivery, type Step, sliceMs } from './delivery.ts'
import { sendMailBatch } from './mail-batch.ts'

/** How a slice came out: `more` means come again, after `waitMs`. Counts of batches. */
export type Slice = { more: boolean; waitMs: number; counts: SliceCounts }
export type SliceCounts = Record<BatchEnd, number>

/** One lane of a wave on one channel. */
export type Lane = { wave: WaveBrief; channel: Channel }

/** A worker that is not set up for a channel leaves it to the others. */
const notHereMs = 10_000

export const noCounts: SliceCounts = { done: 0, halved: 0, again: 0, lost: 0 }
const nothing: Slice = { more: false, waitMs: 0, counts: noCounts }

/**
 * Sends batches of a wave until there is none to claim, the slice's second is over, or the worker is to end; then counts
 * what is finished. Several lanes, workers and attempts may do so at once.
 */
export async function sendSlice(
  delivery: Delivery,
  step: Step,
  waveId: string,
  channel: Channel,
): Promise<Slice> {
  const wave = await waveBrief(delivery.services.db, waveId)
  if (!wave) return nothing
  if (!delivery.senders[channel]) return { ...nothing, more: true, waitMs: notHereMs }
  const counts = { ...noCounts }
  return beating(step, counts, async () => {
    const rest = await sendBatches(delivery, step, { wave, channel }, counts)
    await accountForSlice(delivery.services, wave)
    return { ...rest, counts }
  })
}

/** The slice's batches, one after the other; answers when to come back. */
export async function sendBatches(
  delivery: Delivery,
  step: Step,
  lane: Lane,
  counts: SliceCounts,
): Promise<Pick<Slice, 'more' | 'waitMs'>> {
  const over = performance.now() + sliceMs
  while (!delivery.drain.draining && performance.now() < over) {
    const next = await sendNext(delivery, step, lane)
    if (!next) return whenNext(delivery, step, lane)
    counts[next.end] += 1
    if (next.last && next.end === 'done') return { more: false, waitMs: 0 }
  }
  return { more: true, waitMs: 0 }
}

/** Claims the next free batch and sends it; undefined where there is none now. `last`: no other was open. */
async function sendNext(
  delivery: Delivery,
  step: Step,
  lane: Lane,
): Promise<{ end: BatchEnd; last: boolean } | undefined> {
  const { wave, channel } = lane
  if (delivery.breaker.waitMs(channel) > 0) return undefined
  const { db } = delivery.services
  const askedAt = performance.now()
  const of = { waveId: wave.waveId, channel, claimId: randomUUID() }
  const claimed = await claimBatch(db, of, step, delivery.services.quotaTimeZone)
  if (!claimed) return undefined
  const claim = { ...of, number: claimed.number }
  const claimedAt = performance.now()
  const lease = holdLease(db, claim, askedAt, claimed.expiresInMs)
  try {
    const end = await sendBatch({ delivery, wave, claim, claimed, lease, claimedAt })
    return { end, last: claimed.last }
  } finally {
    lease.end()
  }
}

/** Sends a claimed batch; the lane has made sure that its channel is set up here. */
export function sendBatch(work: Work): Promise<BatchEnd> {
  return work.claim.channel === 'email' ? sendMailBatch(work) : sendChatBatch(work)
}

async function whenNext(
  { services, breaker }: Delivery,
  { runId }: Step,
  { wave, channel }: Lane,
): Promise<Pick<Slice, 'more' | 'waitMs'>> {
  const { going, open, waitMs } = await outlook(services.db, { waveId: wave.waveId, channel }, runId)
  if (!going || open === 0 || waitMs === null) return { more: false, waitMs: 0 }
  return { more: true, waitMs: Math.ceil(Math.max(waitMs, breaker.waitMs(channel), 0)) }
}
