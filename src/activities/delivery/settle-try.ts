import { channelFacts } from '../../channels/facts/by-channel.ts'
import type { Trx } from '../../db/connect.ts'
import {
  deferBatch,
  endBatch,
  endEmptyBatch,
  halveBatch,
  type SettledMember,
  settleMembers,
  splitBatch,
  type UniformOutcome,
} from '../../db/queries/delivery/batch-outcome.ts'
import { deleteCall, markCallUnclear, membersOf } from '../../db/queries/delivery/call.ts'
import { parkWave, putOffBatches, unparkWave } from '../../db/queries/delivery/parking.ts'
import { endRest, restChannel } from '../../db/queries/delivery/provider.ts'
import type { WaveInfo } from '../../db/queries/delivery/wave.ts'
import { quietHoursEnd } from '../../domain/message/quiet-hours.ts'
import {
  type DeferAction,
  type MemberOutcome,
  type Settlement,
  stuckAfter,
} from '../../domain/message/settlement.ts'
import { observeLag } from '../../metrics/sending.ts'
import type { LockedMessage } from '../../services/messages/move.ts'
import { type BatchContext, type BatchResult, type ProviderCall, withClaim } from './batch-context.ts'
import { fallBack, remainingChannels } from './fallback.ts'
import { parkForDoubt } from './park-for-doubt.ts'

type Member = { subjectId: string; address: string; index: number }
type TriedCall = Pick<ProviderCall, 'callNumber' | 'addresses' | 'subjectIds'>

/** A classified try of a batch; `requestId`: the provider's. */
type ClassifiedTry = { call: TriedCall; settlement: Settlement; requestId?: string }

/**
 * Writes the result of a try: in one statement if it settles every member and changes nothing else, otherwise in one
 * transaction under the locks of message, wave and batch. `call`: the remaining members are to be called at once.
 */
export async function settleTry(
  work: BatchContext,
  call: TriedCall,
  settlement: Settlement,
  requestId?: string,
): Promise<BatchResult | 'call'> {
  const settled: ClassifiedTry = { call, settlement, ...(requestId && { requestId }) }
  const end = isSingleStatement(work, settlement)
    ? await settleInOneStatement(work, settled)
    : await withClaim(work, (trx, locked) => settleInTransaction(trx, locked, work, settled))
  if (end !== 'lost') noteSent(work.wave, settled)
  return end
}

/** After the commit, which a claim lets happen once: how late those were sent to who are sent to now. */
function noteSent({ dueAt, quiet }: WaveInfo, { call, settlement: { outcomes } }: ClassifiedTry): void {
  const sent = call.addresses.filter((_, index) => outcomeAt(outcomes, index)?.state === 'sent').length
  if (dueAt === null || sent === 0) return
  const due = dueAt.getTime()
  observeLag((quiet && quietHoursEnd(quiet, due)) ?? due, sent)
}

/**
 * The result of a batch whose remaining members are not called at once: of mail, where each recipient has an outcome,
 * and of a call whose outcome stays unknown.
 */
export function toBatchResult(end: BatchResult | 'call'): BatchResult {
  return end === 'call' ? 'again' : end
}

/** Releases a batch whose call could not start in time, and deletes a call that was only just stored. */
export function releaseBatch(work: BatchContext, stored?: ProviderCall): Promise<BatchResult> {
  return withClaim<BatchResult>(work, async (trx) => {
    if (stored && !stored.unclear) await deleteCall(trx, work.claim, stored.callNumber)
    await deferBatch(trx, work.claim, { afterMs: 0, code: 'aborted', isTry: false })
    return 'again'
  })
}

/**
 * No member remains, none can fall back, and neither wave nor channel can be parked or resting because of this batch.
 */
function isSingleStatement(work: BatchContext, { outcomes, next }: Settlement): boolean {
  const { probing, probesRest, unparks, tries } = work.claimed
  if (next.do !== 'end' || probing || probesRest || unparks || tries >= stuckAfter.tries) return false
  return (
    remainingChannels(work).length === 0 || ![outcomes].flat().some((outcome) => outcome?.state === 'failed')
  )
}

async function settleInOneStatement(
  work: BatchContext,
  { call, settlement: { outcomes }, requestId }: ClassifiedTry,
): Promise<'done' | 'lost'> {
  const { db } = work.delivery.services
  const holdsClaim = Array.isArray(outcomes)
    ? await settleMembers(
        db,
        work.claim,
        memberOutcomesOf(work, call.callNumber, settledMembersOf(call, outcomes), true),
      )
    : await endBatch(db, work.claim, uniformOutcomeOf(call, outcomes, requestId))
  return holdsClaim ? 'done' : 'lost'
}

async function settleInTransaction(
  trx: Trx,
  locked: LockedMessage,
  work: BatchContext,
  settled: ClassifiedTry,
): Promise<BatchResult | 'call'> {
  const { wave, claim, claimed } = work
  const { answered, next, park, restMs } = settled.settlement
  if (park && park.problem !== 'unknown_recipients') await parkWave(trx, wave, park)
  const end = await writeMembers(trx, locked, work, settled)
  if (park?.problem === 'unknown_recipients') await parkForDoubt(trx, wave)
  if (park?.putOffMs !== undefined) await putOffBatches(trx, claim, park.putOffMs)
  // After the batch is written: unparking checks whether any other batch is stuck.
  const mayUnpark = claimed.probing || claimed.unparks || claimed.tries >= stuckAfter.tries
  if (!park && (answered ? mayUnpark : next.do === 'end')) await unparkWave(trx, wave)
  if (restMs) await restChannel(trx, claim.channel, restMs)
  else if (answered && claimed.probesRest) await endRest(trx, claim.channel)
  return end
}

async function writeMembers(
  trx: Trx,
  locked: LockedMessage,
  work: BatchContext,
  settled: ClassifiedTry,
): Promise<BatchResult | 'call'> {
  const { claim } = work
  const { call, settlement, requestId } = settled
  const { outcomes, next } = settlement
  const { callNumber } = call
  const members = await membersOfCall(trx, work, settled)
  const settledNow = members.flatMap(({ subjectId, address, index }): SettledMember[] => {
    const outcome = outcomeAt(outcomes, index)
    return outcome ? [{ subjectId, address, ...outcome }] : []
  })
  const finalMembers = await withoutFallbacks(trx, locked, work, callNumber, settledNow)
  if (!Array.isArray(outcomes) && finalMembers.length === settledNow.length) {
    await endBatch(trx, claim, uniformOutcomeOf(call, outcomes, requestId))
    return 'done'
  }
  if (settledNow.length > 0)
    await settleMembers(trx, claim, memberOutcomesOf(work, callNumber, finalMembers, false))
  switch (next.do) {
    case 'end':
      await endEmptyBatch(trx, claim)
      return 'done'
    case 'call':
      await deleteCall(trx, claim, callNumber)
      return 'call'
    case 'halve':
      await halveBatch(trx, claim, callNumber)
      return 'halved'
    case 'wait':
      await deferRemaining(trx, work, settled, next, members)
      return 'again'
  }
}

/** Lets failed members that have received nothing fall back to another channel; returns the others. */
async function withoutFallbacks(
  trx: Trx,
  locked: LockedMessage,
  work: BatchContext,
  callNumber: number,
  settled: SettledMember[],
): Promise<SettledMember[]> {
  const { outcomePer } = channelFacts[work.claim.channel]
  if (outcomePer === 'call' && callNumber > 0) return settled
  const refused = settled.filter(({ state }) => state === 'failed').map(({ subjectId }) => subjectId)
  const moved = await fallBack(trx, work, locked, refused)
  return settled.filter(({ subjectId }) => !moved.has(subjectId))
}

/**
 * Defers the remaining members. If some members are settled, or some were not tried yet, the batch is split:
 * settled ones are tallied now, not after the last retry, and untried ones do not wait for the others.
 */
async function deferRemaining(
  trx: Trx,
  work: BatchContext,
  { call, settlement }: ClassifiedTry,
  next: DeferAction,
  members: Member[],
) {
  const { claim } = work
  const { outcomes } = settlement
  const wait = { afterMs: next.afterMs, code: next.code, isTry: next.code !== 'aborted' }
  const someSettled = members.some(({ index }) => outcomeAt(outcomes, index) !== null)
  if (next.unclear) await markCallUnclear(trx, claim, { callNumber: call.callNumber, code: next.code })
  else if (!someSettled) await deleteCall(trx, claim, call.callNumber)
  if (!someSettled && next.untried.length === 0) return deferBatch(trx, claim, wait)

  const left = members.filter(({ index }) => outcomeAt(outcomes, index) === null)
  const [untried = [], retried = []] = [true, false].map((wanted) =>
    left.filter(({ index }) => next.untried.includes(index) === wanted).map(({ subjectId }) => subjectId),
  )
  if (retried.length > 0 && (someSettled || untried.length > 0)) await splitBatch(trx, claim, retried, wait)
  if (!someSettled) return deferBatch(trx, claim, { ...wait, afterMs: 0, isTry: false })
  if (untried.length > 0) await splitBatch(trx, claim, untried, null)
  return endEmptyBatch(trx, claim)
}

/**
 * A call with an outcome for each recipient carries their subject ids; those of others are read from the rows, and only if
 * something is settled.
 */
async function membersOfCall(
  trx: Trx,
  { claim }: BatchContext,
  { call, settlement }: ClassifiedTry,
): Promise<Member[]> {
  const { callNumber, addresses } = call
  if (!call.subjectIds && [settlement.outcomes].flat().every((outcome) => outcome === null)) return []
  const ids = call.subjectIds ?? (await membersOf(trx, claim, callNumber))
  return addresses.map((address, index) => ({ address, subjectId: ids[index]!, index }))
}

function uniformOutcomeOf(
  { callNumber, addresses }: TriedCall,
  { state, reason }: MemberOutcome,
  requestId: string | undefined,
): UniformOutcome {
  return {
    callNumber,
    call: callState[state],
    deliveries: state,
    pushes: state === 'failed' ? 0 : addresses.length,
    ...(reason !== null && { code: reason }),
    ...(requestId && { requestId }),
  }
}

function settledMembersOf(
  { addresses, subjectIds = [] }: TriedCall,
  outcomes: (MemberOutcome | null)[],
): SettledMember[] {
  return outcomes.flatMap((outcome, index) =>
    outcome ? [{ ...outcome, subjectId: subjectIds[index]!, address: addresses[index]! }] : [],
  )
}

function memberOutcomesOf(
  { claimed }: BatchContext,
  callNumber: number,
  finalMembers: SettledMember[],
  done: boolean,
) {
  // The ledger has counted a repeat already.
  const paid = claimed.repeats ? [] : finalMembers.filter(({ state }) => state !== 'failed')
  const state = paid.some((member) => member.state === 'sent') ? 'sent' : (paid[0]?.state ?? 'failed')
  return { callNumber, call: callState[state], settled: finalMembers, paid, done }
}

const callState = { sent: 'accepted', failed: 'refused', unknown: 'unknown' } as const

function outcomeAt(outcomes: Settlement['outcomes'], index: number): MemberOutcome | null {
  return Array.isArray(outcomes) ? (outcomes[index] ?? null) : outcomes
}
