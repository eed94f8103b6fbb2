import { callsOf } from '../../db/queries/call.ts'
import { deliverPart } from './part.ts'
import type { BatchEnd, Work } from './work.ts'

/** Sends a batch, part after part; what an earlier claim has stored is taken up where it stands. */
export async function deliverBatch(work: Work): Promise<BatchEnd> {
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
