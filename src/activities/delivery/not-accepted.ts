import type { Trx } from '../../db/connect.ts'
import { releaseBatch } from '../../db/queries/batch.ts'
import { halveBatch } from '../../db/queries/batch-halve.ts'
import { endEmptyBatch, failMembers } from '../../db/queries/batch-outcome.ts'
import { callAgain, forgetCall } from '../../db/queries/call.ts'
import { membersAt } from '../../db/queries/fallback.ts'
import { parkWave, restChannel } from '../../db/queries/parking.ts'
import type { Problem } from '../../domain/message-state.ts'
import type { Again } from '../../domain/outcome.ts'
import type { LockedMessage } from '../../services/move.ts'
import { fallBack } from './fallback.ts'
import { whileOurs } from './while-ours.ts'
import type { BatchEnd, Call, Work } from './work.ts'

/**
 * The recipients whom the provider named fail, or fall back to another channel if they have got nothing yet. `rest`: the
 * others are still to be told.
 */
export function failNamed(
  work: Work,
  { part, addresses }: Call,
  { failed, code }: { failed: string[]; code: string },
): Promise<BatchEnd | 'rest'> {
  return whileOurs<BatchEnd | 'rest'>(work, async (trx, locked) => {
    if (part === 0)
      await fallBack(trx, work, locked, await membersAt(trx, work.claim, { part, addresses: failed }))
    await failMembers(trx, work.claim, { part, addresses: failed, code })
    await callAgain(trx, work.claim, { part, unclear: false, code })
    if (failed.length < addresses.length) return 'rest'
    await endEmptyBatch(trx, work.claim)
    return 'done'
  })
}

/** The provider refused and named nobody: two batches, both free at once. */
export function halve(work: Work, { part }: Call): Promise<BatchEnd> {
  return whileOurs<BatchEnd>(work, async (trx) => {
    await halveBatch(trx, work.claim, part)
    return 'halved'
  })
}

/**
 * The batch goes back until later, and where the provider is in trouble the wave waits with it. Nothing is settled by
 * the try, unless `write` says what is.
 */
export function tryLater(
  work: Work,
  { part }: Pick<Call, 'part'>,
  again: Again,
  write?: (trx: Trx, locked: LockedMessage) => Promise<unknown>,
): Promise<BatchEnd> {
  const { wave, claim } = work
  const problem = problemOf(work, again)
  if (again.restMs) work.delivery.breaker.rest(claim.channel, again.restMs)
  return whileOurs<BatchEnd>(work, async (trx, locked) => {
    if (problem) await parkWave(trx, wave, problem)
    if (write) await write(trx, locked)
    else {
      await callAgain(trx, claim, { part, unclear: again.unclear, code: again.code })
      await releaseBatch(trx, claim, again.afterMs)
    }
    if (again.restMs) await restChannel(trx, claim.channel, again.restMs)
    return 'again'
  })
}

/** A batch whose time passed before its call could begin is free again; a call that was stored just now is forgotten. */
export function notBegun(work: Work, stored?: Call): Promise<BatchEnd> {
  return whileOurs<BatchEnd>(work, async (trx) => {
    if (stored && !stored.unclear) await forgetCall(trx, work.claim, stored.part)
    await releaseBatch(trx, work.claim)
    return 'again'
  })
}

/** A provider that stays down parks the wave; what only a person can mend does so at once. */
function problemOf(work: Work, { trouble }: Again): Problem | null {
  if (trouble !== 'down') return trouble
  return work.delivery.breaker.failed(work.claim.channel) ? 'provider' : null
}
