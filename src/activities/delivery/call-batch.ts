import { randomUUID } from 'node:crypto'
import type { CallContent } from '../../channels/channel.ts'
import { Cleared } from '../../channels/cleared.ts'
import type { CallSender } from '../../channels/connection.ts'
import type { Channel } from '../../contract/enums.ts'
import { endBatch } from '../../db/queries/delivery/batch-outcome.ts'
import { acceptCall, callsOf, type StoredCall } from '../../db/queries/delivery/call.ts'
import { classifyCall, isRepeatable, type Settlement } from '../../domain/message/settlement.ts'
import { notApproved } from '../../domain/rights/approval.ts'
import {
  type BatchContext,
  type BatchResult,
  canStart,
  type ProviderCall,
  recordTry,
} from './batch-context.ts'
import { prepareCall } from './prepare-call.ts'
import { releaseBatch, settleTry, toBatchResult } from './settle-try.ts'

/** One provider call of a batch: these messages to all members that are still pending. */
type PlannedCall<C extends Channel> = {
  callNumber: number
  content: Cleared<CallContent[C]>
  last: boolean
  stored: StoredCall | undefined
}

/**
 * Sends a claimed batch by calls that have one outcome for all, one after another, and continues from those that an earlier
 * claim stored.
 */
export async function sendCallBatch<C extends Channel>(
  work: BatchContext,
  sender: CallSender<C>,
  calls: CallContent[C][],
): Promise<BatchResult> {
  const { delivery, wave, claim, claimed } = work
  const stored = claimed.begun ? await callsOf(delivery.services.db, claim) : []
  const { approval } = wave
  if (approval === null) return failUnsaid(work, notApproved)
  if (calls.length === 0) return failUnsaid(work, 'content')
  for (const [callNumber, content] of calls.entries()) {
    const storedCall = stored.find((call) => call.call_number === callNumber)
    if (storedCall?.state === 'accepted') continue
    const end = await sendCall(work, sender, {
      callNumber,
      content: Cleared.byApproval(content, approval),
      stored: storedCall,
      last: callNumber === calls.length - 1,
    })
    if (end !== 'accepted') return end
  }
  return 'done'
}

/** The batch's language has no content and never will, or nobody has approved it: retrying cannot help. */
async function failUnsaid(
  { delivery, claim }: BatchContext,
  code: 'content' | typeof notApproved,
): Promise<BatchResult> {
  const failed = { callNumber: 0, call: 'refused', deliveries: 'failed', pushes: 0, code } as const
  return (await endBatch(delivery.services.db, claim, failed)) ? 'done' : 'lost'
}

/** Makes one call and writes its outcome. `accepted`: the next call may follow. */
async function sendCall<C extends Channel>(
  work: BatchContext,
  sender: CallSender<C>,
  { callNumber, content, last, stored }: PlannedCall<C>,
): Promise<BatchResult | 'accepted'> {
  let repeated = stored?.unclear ? fromStoredCall(stored) : undefined
  if (repeated && !isRepeatable(stored!.ageMs)) return markTooOld(work, repeated)
  for (;;) {
    if (!canStart(work)) return releaseBatch(work)
    const call = repeated ?? (await prepareCall(work, { callNumber, retryKey: randomUUID() }))
    if (typeof call === 'string') return call
    if (!canStart(work)) return releaseBatch(work, call) // storing the call took time too

    const { retryKey, addresses: to } = call
    work.counts.calls += 1
    const outcome = await sender.send({ to, content, retryKey })
    const situation = recordTry(work, call, [outcome])
    if (outcome.kind === 'accepted' && !last)
      return (await recordAccepted(work, call, outcome)) ? 'accepted' : 'lost'
    const end = await settleTry(
      work,
      call,
      classifyCall(outcome, situation, Math.random()),
      outcome.requestId,
    )
    if (end !== 'call') return end
    repeated = undefined
  }
}

/** Records a call that was accepted and has others after it. */
function recordAccepted(
  { delivery, claim }: BatchContext,
  { callNumber, addresses }: ProviderCall,
  { requestId }: { requestId?: string },
) {
  const accepted = { callNumber, recipients: addresses.length, ...(requestId && { requestId }) }
  return acceptCall(delivery.services.db, claim, accepted)
}

function fromStoredCall({
  retry_key: retryKey,
  call_number: callNumber,
  addresses,
  unclear,
}: StoredCall): ProviderCall {
  return { callNumber, retryKey, addresses, unclear }
}

/** The provider no longer knows the retry key: a repeat could be delivered twice, so the outcome stays unknown. */
async function markTooOld(work: BatchContext, call: ProviderCall): Promise<BatchResult> {
  const outcomes = { state: 'unknown', reason: 'too_old' } as const
  const settlement: Settlement = {
    answered: false,
    outcomes,
    next: { do: 'end' },
    park: null,
    restMs: null,
  }
  return toBatchResult(await settleTry(work, call, settlement))
}
