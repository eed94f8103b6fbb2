import { endEmptyBatch, lockOurs, skipMembers } from '../../db/queries/batch-outcome.ts'
import { storeCall } from '../../db/queries/call.ts'
import { leaveUnknown } from '../../db/queries/mail-repeat.ts'
import { recheck } from '../../db/queries/recheck.ts'
import type { Call, Work } from './work.ts'

/**
 * Reads once more who may be told, skips who may not, and stores the call before anything is sent. `done`: nobody is
 * left. `lost`: the batch is no longer ours.
 */
export async function firstTry(
  work: Work,
  { part, retryKey, tries }: { part: number; retryKey: string; tries: number },
): Promise<Call | 'done' | 'lost'> {
  const { wave, claim } = work
  const { db } = work.delivery.services
  for (;;) {
    const { ours, fallen, addresses, subjectIds } = await storeCall(db, claim, { part, retryKey }, wave)
    if (addresses)
      return { part, retryKey, addresses, ...(subjectIds && { subjectIds }), unclear: false, tries }
    if (!ours || !(await skipFallen(work, fallen === 0))) return 'lost'
    if (fallen === 0) return 'done'
  }
}

/** Skips those who may not be told any more, or not once more; `empty`: there was nobody else. False when the batch is no longer ours. */
function skipFallen({ delivery, wave, claim, claimed }: Work, empty: boolean): Promise<boolean> {
  return delivery.services.db.transaction().execute(async (trx) => {
    if (!(await lockOurs(trx, claim))) return false
    if (empty) await endEmptyBatch(trx, claim)
    else {
      const { fallen } = await recheck(trx, wave.waveId, claim.channel, claim.number, wave)
      if (claimed.repeats) await leaveUnknown(trx, claim, fallen)
      else await skipMembers(trx, claim, fallen)
    }
    return true
  })
}
