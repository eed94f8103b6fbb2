import { randomUUID } from 'node:crypto'
import type { ChatMessage } from '../../channels/chat/wire.ts'
import { endBatch } from '../../db/queries/delivery/batch-outcome.ts'
import { acceptCall, callsOf, type StoredCall } from '../../db/queries/delivery/call.ts'
import { isRepeatable, judgeCall, type Settlement } from '../../domain/settlement.ts'
import {
  type BatchContext,
  type BatchResult,
  canStart,
  type ProviderCall,
  recordTry,
} from './batch-context.ts'
import { prepareCall } from './prepare-call.ts'
import { releaseBatch, settleTry, toBatchResult } from './settle-try.ts'

/** One provider call of a batch: these messages, to everybody who is still pending in it. */
type PlannedCall = { part: number; messages: ChatMessage[]; last: boolean; known: StoredCall | undefined }

/** Sends a claimed batch by chat, part after part; what an earlier claim has stored is taken up where it stands. */
export async function sendChatBatch(work: BatchContext): Promise<BatchResult> {
  const { delivery, wave, claim, claimed } = work
  const stored = claimed.begun ? await callsOf(delivery.services.db, claim) : []
  const parts = wave.compiled.chat?.locales[claimed.locale]?.parts ?? []
  if (parts.length === 0) return failWithoutContent(work)
  for (const [part, messages] of parts.entries()) {
    const known = stored.find((call) => call.part === part)
    if (known?.state === 'accepted') continue
    const end = await sendCall(work, { part, messages, known, last: part === parts.length - 1 })
    if (end !== 'accepted') return end
  }
  return 'done'
}

/** There is nothing to be sent in this language, and never will be: nobody must wait for it. */
async function failWithoutContent({ delivery, claim }: BatchContext): Promise<BatchResult> {
  const failed = { part: 0, call: 'refused', deliveries: 'failed', pushes: 0, code: 'content' } as const
  return (await endBatch(delivery.services.db, claim, failed)) ? 'done' : 'lost'
}

/** Makes a part's call and writes what came of it. `accepted`: the next part may follow. */
async function sendCall(
  work: BatchContext,
  { part, messages, last, known }: PlannedCall,
): Promise<BatchResult | 'accepted'> {
  let repeated = known?.unclear ? fromStoredCall(known) : undefined
  if (repeated && !isRepeatable(known!.ageMs)) return markTooOld(work, repeated)
  for (;;) {
    if (!canStart(work)) return releaseBatch(work)
    const call = repeated ?? (await prepareCall(work, { part, retryKey: randomUUID() }))
    if (typeof call === 'string') return call
    if (!canStart(work)) return releaseBatch(work, call) // storing took its time too

    const { retryKey, addresses: to } = call
    const outcome = await work.delivery.senders.chat!({ to, messages, retryKey })
    const situation = recordTry(work, call, [outcome])
    if (outcome.kind === 'accepted' && !last)
      return (await recordAccepted(work, call, outcome)) ? 'accepted' : 'lost'
    const end = await settleTry(work, call, judgeCall(outcome, situation, Math.random()), outcome.requestId)
    if (end !== 'call') return end
    repeated = undefined
  }
}

/** One part of several went through. */
function recordAccepted(
  { delivery, claim }: BatchContext,
  { part, addresses }: ProviderCall,
  { requestId }: { requestId?: string },
) {
  const accepted = { part, recipients: addresses.length, ...(requestId && { requestId }) }
  return acceptCall(delivery.services.db, claim, accepted)
}

function fromStoredCall({ retry_key: retryKey, part, addresses, unclear }: StoredCall): ProviderCall {
  return { part, retryKey, addresses, unclear }
}

/** The provider no longer knows the key: a repeat might be told twice, so it stays unknown who was told. */
async function markTooOld(work: BatchContext, call: ProviderCall): Promise<BatchResult> {
  const fates = { state: 'unknown', reason: 'too_old' } as const
  const settlement: Settlement = { answered: false, fates, next: { do: 'end' }, park: null, restMs: null }
  return toBatchResult(await settleTry(work, call, settlement))
}
