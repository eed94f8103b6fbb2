import { callsOf } from '../../db/queries/call.ts'
import { deliverMail } from './mail.ts'
import { deliverPart } from './part.ts'
import type { BatchEnd, Work } from './work.ts'

/** Sends a claimed batch; the lane has made sure that its channel is set up here. */
export function deliverBatch(work: Work): Promise<BatchEnd> {
  return work.claim.channel === 'email' ? deliverMail(work) : deliverCalls(work)
}

/** Chat, part after part; what an earlier claim has stored is taken up where it stands. */
async function deliverCalls(work: Work): Promise<BatchEnd> {
  const { delivery, wave, claim, claimed } = work
  const stored = claimed.begun ? await callsOf(delivery.services.db, claim) : []
  const parts = wave.compiled[claim.channel]?.locales[claimed.locale]?.parts ?? []
  for (const [part, messages] of parts.entries()) {
    const known = stored.find((call) => call.part === part)
    if (known?.state === 'accepted') continue
    const end = await deliverPart(work, { part, messages, known, last: part === parts.length - 1 })
    if (end !== 'accepted') return end
  }
  return 'done'
}
