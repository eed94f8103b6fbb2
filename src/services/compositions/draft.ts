import { ServiceError } from '../../contract/errors.ts'
import type { CreateMessage, MessageField, MessageRequest } from '../../contract/messages/create.ts'
import { findOrganisers } from '../../db/queries/answer/organiser.ts'
import type { Composition } from '../../db/queries/composition/composition.ts'
import { findWriters, nameMessageOf } from '../../db/queries/composition/composition.ts'
import { findRequest } from '../../db/queries/message/content.ts'
import { storedState } from '../../db/queries/shown-state.ts'
import { stateAt } from '../../domain/message/shown-state.ts'
import type { PersonPrincipal } from '../../domain/rights/principal.ts'
import type { Services } from '../context.ts'
import { createMessage } from '../messages/create.ts'
import { bodyOf, editMessage } from '../messages/edit.ts'
import { readableMessage } from '../messages/read.ts'
import { assertMayReach } from '../messages/rights.ts'

/** A draft as its author would write it: its unit, its body, and who is to read the answers, by id. */
export type DraftBody = {
  unitId: string
  body: ReturnType<typeof bodyOf> & MessageRequest
  organisers: string[]
}

/**
 * What a draft says, to go on writing it.
 * @throws ServiceError not_found, forbidden, individual_targeting_disabled if it names people, invalid_transition if it is
 *   no draft any more
 */
export async function readDraft(
  { db }: Services,
  principal: PersonPrincipal,
  messageId: string,
): Promise<DraftBody> {
  const { message, now } = await readableMessage(db, principal, messageId)
  if (stateAt(storedState(message), now) !== 'draft')
    throw new ServiceError(
      'invalid_transition',
      'Only a draft can be changed. Copy the message, and change the copy.',
    )
  assertMayReach(principal, message.category_id, message.audience)
  const organisers = await findOrganisers(db, { kind: 'message', id: message.id })
  return {
    unitId: message.unit_id,
    body: { ...bodyOf(message), ...(await findRequest(db, messageId)) },
    organisers: organisers.map(({ id }) => id),
  }
}

/**
 * The draft with this body: the one that is being changed, or a new one. Returns its id. What is written keeps it, so that
 * the next time changes the same. Whoever wrote in it is an author of the draft.
 * @throws ServiceError what create and edit throw about the body
 */
export async function keepDraft(
  services: Services,
  principal: PersonPrincipal,
  { id, unitId, messageId }: Pick<Composition, 'id' | 'unitId' | 'messageId'>,
  { unitId: _, ...body }: CreateMessage,
): Promise<string> {
  const authors = await findWriters(services.db, id)
  if (messageId !== null) {
    await editMessage(services, principal, messageId, { ...emptied, ...body }, { authors })
    return messageId
  }
  const message = await createMessage(services, principal, `composition ${id}`, { ...body, unitId }, authors)
  await nameMessageOf(services.db, id, message.id)
  return message.id
}

/** What no edit removes: it is required, replaced by other content, or follows from another field. */
type Kept = 'categoryId' | 'audience' | 'messages' | 'templateId' | 'variables' | 'remindTo' | 'kind'

/** What an edit removes that the form does not have. */
const emptied = {
  subject: null,
  calendar: null,
  scheduleAt: null,
  expiresAt: null,
  remindAt: null,
  pace: null,
  topicId: null,
  reference: null,
  channelPlanOverride: null,
} as const satisfies Record<Exclude<MessageField, Kept>, null>
