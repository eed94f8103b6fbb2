import { endEmptyBatch, skipMembers } from '../../db/queries/delivery/batch-outcome.ts'
import { recheck, storeCall } from '../../db/queries/delivery/call.ts'
import { markUnknown } from '../../db/queries/delivery/wave-end.ts'
import { doubtableServer } from '../../services/suppression/handle-bounce.ts'
import { type BatchContext, type BatchResult, type ProviderCall, withClaim } from './batch-context.ts'
import { fallBack } from './fallback.ts'
import { releaseBatch } from './settle-try.ts'

/**
 * Checks eligibility once more, skips members that fail, and stores the call before it is sent. `done`: no member is
 * left. `lost`: the claim is lost. `again`: while the batch was being claimed, its previous holder stored a call or the
 * channel began to rest; the next claim sees it.
 */
export async function prepareCall(
  work: BatchContext,
  { callNumber, retryKey }: { callNumber: number; retryKey: string },
): Promise<ProviderCall | BatchResult> {
  const { wave, claim, claimed, delivery } = work
  const { probesRest, probesServer, believes } = claimed
  const server = probesServer || believes ? null : doubtableServer(delivery.services, claim.channel)
  for (;;) {
    const stored = await storeCall(
      delivery.services.db,
      claim,
      { callNumber, retryKey, probesRest, server },
      wave,
    )
    const { claimHeld, mustWait, ineligible, addresses, subjectIds } = stored
    if (addresses)
      return { callNumber, retryKey, addresses, ...(subjectIds && { subjectIds }), unclear: false }
    if (mustWait) return releaseBatch(work)
    if (!claimHeld || !(await skipIneligible(work, callNumber, ineligible === 0))) return 'lost'
    if (ineligible === 0) return 'done'
  }
}

/**
 * Skips members that are no longer eligible; before the first call they may fall back to another channel. In a repeat
 * they stay unknown instead. `empty`: the batch has no members left. False if the claim is lost.
 */
async function skipIneligible(work: BatchContext, callNumber: number, empty: boolean): Promise<boolean> {
  const { wave, claim, claimed } = work
  const ended = await withClaim(work, async (trx, locked) => {
    if (empty) return endEmptyBatch(trx, claim)
    const { ineligible } = await recheck(trx, wave.waveId, claim.channel, claim.number, wave)
    if (claimed.repeats) return markUnknown(trx, claim, ineligible)
    const subjectIds = ineligible.map(({ subjectId }) => subjectId)
    const moved = callNumber === 0 ? await fallBack(trx, work, locked, subjectIds) : new Set()
    const skipped = ineligible.filter(({ subjectId }) => !moved.has(subjectId))
    if (skipped.length > 0) await skipMembers(trx, claim, skipped)
  })
  return ended !== 'lost'
}
