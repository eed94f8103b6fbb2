import { endEmptyBatch, skipMembers } from '../../db/queries/delivery/batch-outcome.ts'
import { recheck, storeCall } from '../../db/queries/delivery/call.ts'
import { markUnknown } from '../../db/queries/delivery/wave-end.ts'
import { type BatchContext, type BatchResult, type ProviderCall, withClaim } from './batch-context.ts'
import { fallBack } from './fallback.ts'
import { releaseBatch } from './settle-try.ts'

/**
 * Reads once more who may be told, skips who may not, and stores the call before anything is sent. `done`: nobody is
 * left. `lost`: the batch is no longer ours. `again`: while it was being claimed, whoever had it before stored a call, or
 * somebody had the channel rest, which the claim did not see; whoever claims it next does.
 */
export async function prepareCall(
  work: BatchContext,
  { part, retryKey }: { part: number; retryKey: string },
): Promise<ProviderCall | BatchResult> {
  const { wave, claim, claimed, delivery } = work
  const { probesRest } = claimed
  for (;;) {
    const stored = await storeCall(delivery.services.db, claim, { part, retryKey, probesRest }, wave)
    const { ours, notNow, fallen, addresses, subjectIds } = stored
    if (addresses) return { part, retryKey, addresses, ...(subjectIds && { subjectIds }), unclear: false }
    if (notNow) return releaseBatch(work)
    if (!ours || !(await skipIneligible(work, part, fallen === 0))) return 'lost'
    if (fallen === 0) return 'done'
  }
}

/**
 * Skips those who may not be told any more, or not once more; before the first part they may fall back to another
 * channel. `empty`: there was nobody else. False when the batch is no longer ours.
 */
async function skipIneligible(work: BatchContext, part: number, empty: boolean): Promise<boolean> {
  const { wave, claim, claimed } = work
  const ended = await withClaim(work, async (trx, locked) => {
    if (empty) return endEmptyBatch(trx, claim)
    const { fallen } = await recheck(trx, wave.waveId, claim.channel, claim.number, wave)
    if (claimed.repeats) return markUnknown(trx, claim, fallen)
    const subjectIds = fallen.map(({ subjectId }) => subjectId)
    const moved = part === 0 ? await fallBack(trx, work, locked, subjectIds) : new Set()
    const skipped = fallen.filter(({ subjectId }) => !moved.has(subjectId))
    if (skipped.length > 0) await skipMembers(trx, claim, skipped)
  })
  return ended !== 'lost'
}
