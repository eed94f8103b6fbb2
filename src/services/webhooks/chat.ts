import { readTap, readUnmute } from '../../channels/chat/taps.ts'
import type { ChatEvent } from '../../contract/webhooks.ts'
import type { Trx } from '../../db/connect.ts'
import { insertDoNotRemind } from '../../db/queries/answer/answer.ts'
import { insertAudit } from '../../db/queries/audit/audit.ts'
import { isSuperseded, type WebhookEvent } from '../../db/queries/event/webhook.ts'
import { findWaitingInChat } from '../../db/queries/pattern/registration.ts'
import { endRuns } from '../../db/queries/scenario-run/end.ts'
import { setBlocked, setFirstContact } from '../../db/queries/subject/address.ts'
import { idOrNull } from '../../domain/lib/id.ts'
import { recipientActor } from '../../domain/rights/principal.ts'
import { handleHandoffText } from '../handoffs/handle-text.ts'
import { type ChatEnding, replyTo } from '../recipients/acknowledge.ts'
import type { LinkServices } from '../recipients/settings-link.ts'
import { handleTap } from '../scenario-runs/handle-tap.ts'
import { startByFollow } from '../scenario-runs/start-by-person.ts'
import { type ToldRun, telling } from '../wake-scenario-runs.ts'
import { handleText } from './handle-text.ts'
import { findReceived, pressInMessage } from './press-in-message.ts'

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
      return { answers: true, ...(await handleText(trx, event, subjectId, services)) }
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
  const received = await findReceived(trx, { messageId, subjectId })
  if (!received) return { outcome: 'not_received' }
  if (tapped.a === 'do_not_remind') {
    await insertDoNotRemind(trx, messageId, subjectId)
    return { outcome: 'not_reminded', reply: replyTo(event, received.message, { kind: 'not_reminded' }) }
  }
  const place = { n: Number(tapped.n), o: tapped.o ?? '' }
  return pressInMessage(trx, event, received, { place, undoes: readUnmute(tapped), services })
}
