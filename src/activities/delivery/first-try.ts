import { dropMembers, endEmptyBatch, lockOurs } from '../../db/queries/batch-outcome.ts'
import { storeCall } from '../../db/queries/call.ts'
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
  const { wave, claim, delivery } = work
  const { db } = delivery.services
  const { open, fallen } = await recheck(db, wave.waveId, claim.channel, claim.number, wave)
  const subjectIds = open.map((recipient) => recipient.subjectId)
  const addresses = open.map((recipient) => recipient.address)
  const call = { part, retryKey, subjectIds, addresses, unclear: false, tries }
  if (fallen.length === 0) return (await storeCall(db, claim, call)) ? call : 'lost'

  return db.transaction().execute(async (trx) => {
    if (!(await lockOurs(trx, claim))) return 'lost'
    await dropMembers(trx, claim, 'skipped', fallen)
    if (open.length > 0) return (await storeCall(trx, claim, call)) ? call : 'lost'
    await endEmptyBatch(trx, claim)
    return 'done'
  })
}
