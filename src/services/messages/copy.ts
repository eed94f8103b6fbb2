import { ServiceError } from '../../contract/errors.ts'
import type { CreatedMessage, CreateMessage, MessageRequest } from '../../contract/messages/create.ts'
import { findOriginal } from '../../db/queries/message/content.ts'
import { findMessage } from '../../db/queries/message/message.ts'
import { erasedUid } from '../../db/rows.ts'
import type { MessageRow } from '../../db/tables.ts'
import type { Audience } from '../../domain/audience/audience.ts'
import { canonicalJson } from '../../domain/lib/canonical-json.ts'
import type { Principal } from '../../domain/rights/principal.ts'
import { sha256 } from '../../signing.ts'
import type { Services } from '../context.ts'
import { findInUnits } from '../unit-access.ts'
import { createOnce } from './create.ts'
import { bodyOf, checkedBody } from './edit.ts'
import { assertMayReadText } from './read.ts'

/**
 * Creates a draft of the caller's with the content, audience and plan of a message in any state, once per unit and key.
 * The authors of a message that no person has approved may not approve the copy either.
 * It is checked as a new message of the caller's. Times that are over are left out, and so is the reference, which names
 * the other message.
 * @throws ServiceError not_found, also if the text is past retention; forbidden, also for the text of a personal message;
 *   and what `createMessage` throws
 */
export async function copyMessage(
  services: Services,
  principal: Principal,
  id: string,
  idempotencyKey: string,
): Promise<CreatedMessage> {
  const { db } = services
  const { message } = await findInUnits(db, principal, id, 'message', findMessage)
  const { request, authors } = await findOriginal(db, message.id)
  const { category_id: categoryId, topic_id: topicId } = message
  return createOnce(services, principal, {
    unitId: message.unit_id,
    idempotencyKey,
    bodyHash: sha256(canonicalJson({ copyOf: message.id })),
    references: { categoryId, templateId: request.templateId, topicId: topicId ?? undefined },
    mayRead: () => assertMayReadText(db, principal, message),
    bodyAt: (now) => copiedBody(message, request, now),
    copyOf: { id: message.id, authors },
  })
}

/** The body of the copy at `now` (ms). */
function copiedBody(message: MessageRow, request: MessageRequest, now: number): CreateMessage {
  const { scheduleAt, expiresAt, remindAt, remindTo, reference: _, ...rest } = bodyOf(message)
  const ahead = (time: string | undefined) =>
    time !== undefined && Date.parse(time) > now ? time : undefined
  const reminder = ahead(remindAt)
  const { calendar, ...content } = request
  return checkedBody({
    ...rest,
    audience: withoutErased(message.audience),
    ...content,
    calendar: ahead(calendar?.start) && calendar,
    scheduleAt: ahead(scheduleAt),
    expiresAt: ahead(expiresAt),
    remindAt: reminder,
    remindTo: reminder === undefined ? undefined : remindTo,
  })
}

/** Individuals who were erased are left out. */
function withoutErased(audience: Audience): Audience {
  if (audience.kind !== 'individual') return audience
  const uids = audience.uids.filter((uid) => uid !== erasedUid)
  if (uids.length > 0) return { ...audience, uids }
  throw new ServiceError(
    'not_found',
    'All recipients of this message have been erased. Create a new message.',
  )
}
