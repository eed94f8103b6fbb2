import { randomUUID } from 'node:crypto'
import type { ChatMessage } from '../../channels/chat/wire.ts'
import { endBatch } from '../../db/queries/delivery/batch-outcome.ts'
import { acceptPart, callsOf, type StoredCall } from '../../db/queries/delivery/call.ts'
import { isRepeatable, judgeCall, type Settlement } from '../../domain/settlement.ts'
import { type BatchEnd, type Call, mayBegin, noteTry, type Work } from './batch-work.ts'
import { prepareCall } from './prepare.ts'
import { giveBack, orAgain, settle } from './settle.ts'

/** One provider call of a batch: these messages, to everybody who is still pending in it. */
type Part = { part: number; messages: ChatMessage[]; last: boolean; known: StoredCall | undefined }

/** Sends a claimed batch by chat, part after part; what an earlier claim has stored is taken up where it stands. */
export async function sendChatBatch(work: Work): Promise<BatchEnd> {
  const { delivery, wave, claim, claimed } = work
  const stored = claimed.begun ? await callsOf(delivery.services.db, claim) : []
  const parts = wave.compiled.chat?.locales[claimed.locale]?.parts ?? []
  if (parts.length === 0) return withoutContent(work)
  for (const [part, messages] of parts.entries()) {
    const known = stored.find((call) => call.part === part)
    if (known?.state === 'accepted') continue
    const end = await sendPart(work, { part, messages, known, last: part === parts.length - 1 })
    if (end !== 'accepted') return end
  }
  return 'done'
}

/** There is nothing to be sent in this language, and never will be: nobody must wait for it. */
async function withoutContent({ delivery, claim }: Work): Promise<BatchEnd> {
  const failed = { part: 0, call: 'refused', deliveries: 'failed', pushes: 0, code: 'content' } as const
  return (await endBatch(delivery.services.db, claim, failed)) ? 'done' : 'lost'
}

/** Makes a part's call and writes what came of it. `accepted`: the next part may follow. */
async function sendPart(work: Work, { part, messages, last, known }: Part): Promise<BatchEnd | 'accepted'> {
  let repeated = known?.unclear ? restored(known) : undefined
  if (repeated && !isRepeatable(known!.ageMs)) return inDoubt(work, repeated)
  for (;;) {
    if (!mayBegin(work)) return giveBack(work)
    const call = repeated ?? (await prepareCall(work, { part, retryKey: randomUUID() }))
    if (typeof call === 'string') return call
    if (!mayBegin(work)) return giveBack(work, call) // storing took its time too

    const { retryKey, addresses: to } = call
    const outcome = await work.delivery.senders.chat!({ to, messages, retryKey })
    const situation = noteTry(work, call, [outcome])
    if (outcome.kind === 'accepted' && !last) return (await accept(work, call, outcome)) ? 'accepted' : 'lost'
    const end = await settle(work, call, judgeCall(outcome, situation, Math.random()), outcome.requestId)
    if (end !== 'call') return end
    repeated = undefined
  }
}

/** One part of several went through. */
function accept({ delivery, claim }: Work, { part, addresses }: Call, { requestId }: { requestId?: string }) {
  const accepted = { part, recipients: addresses.length, ...(requestId && { requestId }) }
  return acceptPart(delivery.services.db, claim, accepted)
}

function restored({ retry_key: retryKey, part, addresses, unclear }: StoredCall): Call {
  return { part, retryKey, addresses, unclear }
}

/** The provider no longer knows the key: a repeat might be told twice, so it stays unknown who was told. */
async function inDoubt(work: Work, call: Call): Promise<BatchEnd> {
  const fates = { state: 'unknown', reason: 'too_old' } as const
  const settlement: Settlement = { answered: false, fates, next: { do: 'end' }, park: null, restMs: null }
  return orAgain(await settle(work, call, settlement))
}
