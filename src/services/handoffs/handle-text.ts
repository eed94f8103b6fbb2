import { type ChatEvent, TypedText } from '../../contract/webhooks.ts'
import type { Trx } from '../../db/connect.ts'
import type { WebhookEvent } from '../../db/queries/event/webhook.ts'
import { insertHandoffText, lockOpenHandoff } from '../../db/queries/handoff/handoff.ts'

/**
 * Adds what a person wrote or sent in the chat to their open handoff; false if they have none. A picture, a place or a
 * voice message stands there without a text. `subjectId` null: nobody is bound to the address.
 */
export async function handleHandoffText(
  trx: Trx,
  event: WebhookEvent,
  subjectId: string | null,
): Promise<boolean> {
  const handoff = await lockOpenHandoff(trx, { subjectId, address: event.address })
  if (!handoff) return false
  const text = TypedText.safeParse((event.payload as ChatEvent).message).data?.text ?? null
  await insertHandoffText(trx, { handoffId: handoff.id, subjectId, text, eventId: event.id })
  return true
}
