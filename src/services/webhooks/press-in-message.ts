import { tap } from '../../channels/chat/taps.ts'
import type { Channel } from '../../contract/enums.ts'
import type { Trx } from '../../db/connect.ts'
import { findTappedMessage, type TappedMessage } from '../../db/queries/answer/answer.ts'
import { addressChannel, type WebhookEvent } from '../../db/queries/event/webhook.ts'
import { findOption } from '../../domain/content/option.ts'
import { type ChatEnding, mutedReply, replyTo } from '../recipients/acknowledge.ts'
import { type Switched, switchCategory } from '../recipients/mute.ts'
import { type LinkServices, settingsLink } from '../recipients/settings-link.ts'
import { recordTap } from '../recipients/taps.ts'
import { begun, startByButton } from '../scenario-runs/start-by-person.ts'

/** A message that a person received, and the wave that sent it. */
export type ReceivedMessage = {
  messageId: string
  subjectId: string
  message: TappedMessage & { waveId: string }
}

/** A message with the wave that sent it to a person; undefined: it was not sent to them. */
export async function findReceived(
  trx: Trx,
  ids: { messageId: string; subjectId: string },
): Promise<ReceivedMessage | undefined> {
  const message = await findTappedMessage(trx, ids)
  return message?.waveId ? { ...ids, message: { ...message, waveId: message.waveId } } : undefined
}

/** What is pressed, and where. `undoes`: on which channels to switch its category on again; null: it is pressed. */
type Press = { place: { n: number; o: string }; undoes: Channel[] | null; services: LinkServices }

/** Presses a button of a message, or undoes one that has turned a category off, which is possible for ever. */
export async function pressInMessage(
  trx: Trx,
  event: WebhookEvent,
  { messageId, subjectId, message }: ReceivedMessage,
  { place: { n, o }, undoes, services }: Press,
): Promise<ChatEnding> {
  const { unitId, frozen, waveId } = message
  const closed = (): ChatEnding => ({ outcome: 'closed', reply: replyTo(event, message, { kind: 'closed' }) })
  const muted = (switched: Switched): ChatEnding => ({
    outcome: switched.kind,
    reply: mutedReply(event, message, switched, {
      muted: tap({ m: messageId }, n, o),
      settings: settingsLink(services, { waveId, subjectId }),
    }),
  })
  if (message.over || undoes) {
    const option = findOption(frozen ?? [], n, o)
    const switched = option && (await switchCategory(trx, { subjectId, option }, undoes))
    return switched ? muted(switched) : closed()
  }
  const pressed = await recordTap(trx, {
    messageId,
    unitId,
    frozen: frozen ?? [],
    subjectId,
    n,
    o,
    channel: addressChannel(event.channel),
    at: event.occurredAt,
  })
  // The content may be past retention. A button that it never had was not Carillon's.
  if (!pressed) return frozen === null ? closed() : { outcome: 'unknown_option' }
  const { option, switched } = pressed
  if (switched) return muted(switched)
  if (option.starts !== undefined) {
    const wakes = await startByButton(trx, { unitId, subjectId, webhookEventId: event.id }, option.starts)
    // The run answers by the token of the tap.
    return wakes
      ? begun(wakes)
      : { outcome: 'not_active', reply: replyTo(event, message, { kind: 'not_active' }) }
  }
  return { outcome: 'answered', reply: replyTo(event, message, { kind: 'answered', label: option.label }) }
}
