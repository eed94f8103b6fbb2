import { setTimeout as sleep } from 'node:timers/promises'
import type { Trx } from '../../db/connect.ts'
import { type SkippedRest, skipFreeBatches } from '../../db/queries/skip.ts'
import { upWaveBrief, type WaveBrief } from '../../db/queries/wave-brief.ts'
import { close } from './close.ts'
import { beating, type Delivery, type Step, sliceMs } from './delivery.ts'

/** `more`: come again. `closed`: nothing can happen to the message any more. */
export type Finished = { more: boolean; closed: boolean }

/** Batches that are skipped in one transaction: at most 10,000 rows. */
const batchesAtOnce = 20
/** How soon to look again at a batch whose call is still under way. */
const underWayMs = 200

/**
 * Brings a wave, and its message, to the end: skips who is left after a cancel, stop, expiry or skip, a slice at a time;
 * waits for calls that are under way; then decides the end by the counters, gives back what is still reserved and closes
 * the message, unless its reminder is to come. Asked too early, while there is something to send, it does nothing.
 */
export async function finish(delivery: Delivery, step: Step, messageId: string): Promise<Finished> {
  const { services, drain } = delivery
  const { db } = services
  const wave = await upWaveBrief(db, messageId)
  const counts = { skipped: 0 }
  const over = performance.now() + sliceMs
  return beating(step, counts, async () => {
    for (;;) {
      const skipped = wave ? await db.transaction().execute((trx) => skipSome(trx, wave)) : 0
      counts.skipped += skipped
      const stop = drain.draining || performance.now() > over
      if (skipped > 0 && !stop) continue
      const end = await db.transaction().execute((trx) => close(trx, messageId, wave))
      if (end !== 'left' || stop) return { more: end === 'left', closed: end === 'closed' }
      await sleep(underWayMs)
    }
  })
}

/** Nobody claims any more once the reason holds, and it never ceases to: so neither message nor wave need be locked. */
async function skipSome(trx: Trx, wave: WaveBrief): Promise<number> {
  const reason = restReason(wave)
  return reason ? skipFreeBatches(trx, wave.waveId, reason, batchesAtOnce) : 0
}

function restReason({ state, skipRest, expired }: WaveBrief): SkippedRest | null {
  if (state === 'cancelled' || state === 'stopped' || state === 'expired') return state
  if (skipRest) return 'parked'
  return state === 'sending' && expired ? 'expired' : null
}
