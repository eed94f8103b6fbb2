import { ServiceError } from '../../contract/errors.ts'
import type { AvatarEvent } from '../../contract/webhooks.ts'
import type { Trx } from '../../db/connect.ts'
import { insertAudit } from '../../db/queries/audit/audit.ts'
import type { WebhookEvent } from '../../db/queries/event/webhook.ts'
import {
  closeHandoff,
  insertHandoffText,
  isConversationPast,
  lockConversation,
  openForAssistant,
} from '../../db/queries/handoff/handoff.ts'
import { insertHandoffNotices } from '../../db/queries/handoff/notice.ts'
import { findUnitNamed } from '../../db/queries/identity/unit.ts'
import { findSubjectByAddress } from '../../db/queries/subject/address.ts'
import type { HandoffEvent } from '../../metrics/rows.ts'
import type { Services } from '../context.ts'

/** The actor of what the conversational assistant does. */
const actor = 'system:avatar'

/** The outcome of an event, and what it did to a handoff. */
export type AppliedAssistantEvent = { outcome: string; handoff?: HandoffEvent }

/**
 * Applies an event of the conversational assistant: opens a handoff, adds what the person said to it, or closes it.
 * `subjectId`: who was bound to the chat address when it arrived, or has been since; null: nobody yet.
 * @throws ServiceError not_configured without a unit whose people answer; the event is tried again
 */
export async function applyAssistantEvent(
  trx: Trx,
  { avatarUnit }: Pick<Services, 'avatarUnit'>,
  event: Pick<WebhookEvent, 'id' | 'payload' | 'occurredAt'>,
  subjectId: string | null,
): Promise<AppliedAssistantEvent> {
  const unitId = avatarUnit === undefined ? undefined : await findUnitNamed(trx, avatarUnit)
  if (unitId === undefined)
    throw new ServiceError(
      'not_configured',
      'AVATAR_UNIT of the worker names no unit. Set it to the id or name of one.',
    )
  const { type, conversationId, channelUser, text } = event.payload as AvatarEvent
  const spoken = { subjectId, eventId: event.id, text: text ?? null }
  const about = (objectId: string) => ({ unitId, actor, objectKind: 'handoff', objectId }) as const
  const conversation = { conversationId, channelUser }
  let open = await lockConversation(trx, conversation)
  if (open && open.subjectId !== null && open.subjectId !== subjectId) {
    if (open.subjectId === (await findSubjectByAddress(trx, 'chat', channelUser)))
      return { outcome: 'wrong_recipient' }
    // It was opened while the address moved on.
    await closeHandoff(trx, open.id, { by: actor, reason: 'unbound' })
    await insertAudit(trx, { ...about(open.id), action: 'close', reason: 'unbound' })
    open = undefined
  }
  switch (type) {
    case 'requested': {
      if (open) {
        if (text !== undefined) await insertHandoffText(trx, { ...spoken, handoffId: open.id })
        return { outcome: 'already_open' }
      }
      if (await isConversationPast(trx, conversation, event.occurredAt)) return { outcome: 'superseded' }
      const id = await openForAssistant(trx, { unitId, ...conversation, subjectId, webhookEventId: event.id })
      // The conversation is open with another person.
      if (id === undefined) return { outcome: 'wrong_recipient' }
      if (text !== undefined) await insertHandoffText(trx, { ...spoken, handoffId: id })
      await insertHandoffNotices(trx, id)
      await insertAudit(trx, { ...about(id), action: 'open' })
      return { outcome: 'opened', handoff: 'opened' }
    }
    case 'message':
      if (!open) return { outcome: 'no_handoff' }
      await insertHandoffText(trx, { ...spoken, handoffId: open.id })
      return { outcome: 'handed_over' }
    case 'closed':
      if (!open) return { outcome: 'no_handoff' }
      if (text !== undefined) await insertHandoffText(trx, { ...spoken, handoffId: open.id })
      if (await isConversationPast(trx, conversation, event.occurredAt)) return { outcome: 'superseded' }
      await closeHandoff(trx, open.id, { by: actor, reason: 'assistant' })
      await insertAudit(trx, { ...about(open.id), action: 'close', reason: 'assistant' })
      return { outcome: 'closed', handoff: 'assistant' }
  }
}
