import { readTap, readUnmute, tap } from '../../channels/chat/taps.ts'
import type { PostbackData } from '../../contract/messages/content.ts'
import type { ChatEvent } from '../../contract/webhooks.ts'
import type { Trx } from '../../db/connect.ts'
import { findTappedMessage, insertDoNotRemind, type TappedMessage } from '../../db/queries/answer/answer.ts'
import { insertAudit } from '../../db/queries/audit/audit.ts'
import { isSuperseded, type WebhookEvent } from '../../db/queries/event/webhook.ts'
import { findWaitingInChat } from '../../db/queries/pattern/registration.ts'
import { endRuns } from '../../db/queries/scenario-run/end.ts'
import { setBlocked, setFirstContact } from '../../db/queries/subject/address.ts'
import { findOption } from '../../domain/content/option.ts'
import { idOrNull } from '../../domain/lib/id.ts'
import { recipientActor } from '../../domain/rights/principal.ts'
import { handleHandoffText } from '../handoffs/handle-text.ts'
import { type ChatEnding, mutedReply, replyTo } from '../recipients/acknowledge.ts'
import { type Switched, switchCategory } from '../recipients/mute.ts'
import { type LinkServices, settingsLink } from '../recipients/settings-link.ts'
import { recordTap } from '../recipients/taps.ts'
import { handleTap, handleText } from '../scenario-runs/handle-reply.ts'
import { begun, startByButton, startByFollow } from '../scenario-runs/start-by-person.ts'
import { type ToldRun, telling } from '../wake-scenario-runs.ts'

/** Events that open or close the chat; an older one must not undo a newer one. */
export const followEventTypes = ['follow', 'unfollow']

/** Applies a chat event of this subject. */
export async function applyChatEvent(
  trx: Trx,
  event: WebhookEvent,
  subjectId: string,
  services: LinkServices,
): Promise<ChatEnding> {
  switch (event.type) {
    case 'follow':
    case 'unfollow':
      if (await isSuperseded(trx, event, followEventTypes)) return { outcome: 'superseded' }
      return follow(trx, subjectId, event)
    case 'postback':
      return handlePostback(trx, subjectId, event, services)
    case 'message':
      if (await handleHandoffText(trx, event, subjectId)) return { outcome: 'handed_over' }
      return { answers: true, ...(await handleText(trx, event, subjectId)) }
    default:
      return { outcome: 'ignored' }
  }
}

/**
 * A follow lifts a block, so the person receives messages again; an unfollow is a block. Who can no longer be notified
 * that they got a place gives up waiting: before the block, because runs are locked before addresses.
 */
async function follow(trx: Trx, subjectId: string, { id, type }: WebhookEvent): Promise<ChatEnding> {
  const blocked = type === 'unfollow'
  if (!blocked) await setFirstContact(trx, subjectId, 'chat_follow')
  const ended = blocked ? await giveUpWaiting(trx, subjectId) : []
  const changed = await setBlocked(trx, { subjectId, channel: 'chat', blocked })
  const subject = { unitId: null, objectKind: 'subject', objectId: subjectId } as const
  if (changed) await insertAudit(trx, { ...subject, actor: recipientActor(subjectId), action: type })
  if (blocked) return { outcome: 'blocked', wakes: ended }
  return { outcome: 'followed', wakes: await startByFollow(trx, { subjectId, webhookEventId: id }) }
}

async function giveUpWaiting(trx: Trx, subjectId: string): Promise<ToldRun[]> {
  const ids = await findWaitingInChat(trx, subjectId)
  const { toWake } = await endRuns(trx, { ids }, { state: 'cancelled', reason: 'blocked' })
  return telling('cancelled', toWake)
}

/** Applies a pressed button, if the person received its message. */
async function handlePostback(
  trx: Trx,
  subjectId: string,
  event: WebhookEvent,
  services: LinkServices,
): Promise<ChatEnding> {
  const tapped = readTap((event.payload as ChatEvent).postback?.data ?? '')
  if (!tapped) return { outcome: 'unknown' }
  if (tapped.s !== undefined)
    return { answers: true, ...(await handleTap(trx, event, subjectId, { tapped, services })) }
  const messageId = idOrNull(tapped.m)
  if (messageId === null) return { outcome: 'unknown' }
  const message = await findTappedMessage(trx, { messageId, subjectId })
  if (!message?.waveId) return { outcome: 'not_received' }
  if (tapped.a === 'do_not_remind') {
    await insertDoNotRemind(trx, messageId, subjectId)
    return { outcome: 'not_reminded', reply: replyTo(event, message, { kind: 'not_reminded' }) }
  }
  return press(
    trx,
    event,
    { messageId, subjectId, message: { ...message, waveId: message.waveId } },
    { tapped, services },
  )
}

/** A message that a person received, and the wave that sent it. */
type ReceivedMessage = { messageId: string; subjectId: string; message: TappedMessage & { waveId: string } }

/** Presses a button of a message, or undoes one that has turned a category off, which is possible for ever. */
async function press(
  trx: Trx,
  event: WebhookEvent,
  { messageId, subjectId, message }: ReceivedMessage,
  { tapped, services }: { tapped: PostbackData; services: LinkServices },
): Promise<ChatEnding> {
  const { unitId, frozen, waveId } = message
  const [n, o] = [Number(tapped.n), tapped.o ?? '']
  const closed = (): ChatEnding => ({ outcome: 'closed', reply: replyTo(event, message, { kind: 'closed' }) })
  const muted = (switched: Switched): ChatEnding => ({
    outcome: switched.kind,
    reply: mutedReply(event, message, switched, {
      muted: tap({ m: messageId }, n, o),
      settings: settingsLink(services, { waveId, subjectId }),
    }),
  })
  const undoes = readUnmute(tapped)
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
    channel: 'chat',
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
