import { randomUUID } from 'node:crypto'
import type { ChatMessage } from '../../channels/chat/wire.ts'
import { Cleared } from '../../channels/cleared.ts'
import { endBatch } from '../../db/queries/delivery/batch-outcome.ts'
import { acceptCall, callsOf, type StoredCall } from '../../db/queries/delivery/call.ts'
import { classifyCall, isRepeatable, type Settlement } from '../../domain/message/settlement.ts'
import { notApproved } from '../../domain/rights/clearance.ts'
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
type PlannedCall = {
  callNumber: number
  messages: Cleared<ChatMessage[]>
  last: boolean
  stored: StoredCall | undefined
}

/** Sends a claimed batch by chat, one call after another, and continues from the calls that an earlier claim stored. */
export async function sendChatBatch(work: BatchContext): Promise<BatchResult> {
  const { delivery, wave, claim, claimed } = work
  const stored = claimed.begun ? await callsOf(delivery.services.db, claim) : []
  const parts = wave.compiled.chat?.locales[claimed.locale]?.parts ?? []
  const { approval } = wave
  if (approval === null) return failUnsaid(work, notApproved)
  if (parts.length === 0) return failUnsaid(work, 'content')
  for (const [callNumber, messages] of parts.entries()) {
    const known = stored.find((call) => call.call_number === callNumber)
    if (known?.state === 'accepted') continue
    const end = await sendCall(work, {
      callNumber,
      messages: Cleared.byApproval(messages, approval),
      stored: known,
      last: callNumber === parts.length - 1,
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
async function sendCall(
  work: BatchContext,
  { callNumber, messages, last, stored }: PlannedCall,
): Promise<BatchResult | 'accepted'> {
  let repeated = stored?.unclear ? fromStoredCall(stored) : undefined
  if (repeated && !isRepeatable(stored!.ageMs)) return markTooOld(work, repeated)
  for (;;) {
    if (!canStart(work)) return releaseBatch(work)
    const call = repeated ?? (await prepareCall(work, { callNumber, retryKey: randomUUID() }))
    if (typeof call === 'string') return call
    if (!canStart(work)) return releaseBatch(work, call) // storing the call took time too

    const { retryKey, addresses: to } = call
    const outcome = await work.delivery.senders.chat!({ to, messages, retryKey })
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
