import { ServiceError } from '../../contract/errors.ts'
import type { Db } from '../../db/connect.ts'
import { isAuthor } from '../../db/queries/message/content.ts'
import { findMessage } from '../../db/queries/message/message.ts'
import type { MessageRow } from '../../db/tables.ts'
import { maySeePersonal } from '../../domain/permission.ts'
import { actorOf, type Principal } from '../../domain/principal.ts'
import { unitsOf } from '../unit-of.ts'

/**
 * A message whose text the caller may read: the rule of the detail.
 * @throws ServiceError not_found, forbidden
 */
export async function readableMessage(db: Db, principal: Principal, id: string): Promise<MessageRow> {
  const found = await findMessage(db, id, unitsOf(principal))
  if (!found) throw new ServiceError('not_found', 'There is no such message. Check the id.')
  const { message } = found
  if (message.purged_at)
    throw new ServiceError('not_found', 'What this message said is gone: its retention time is over.')
  if (message.kind !== 'personal') return message
  const author = await isAuthor(db, id, actorOf(principal))
  if (maySeePersonal(principal, message.unit_id, author)) return message
  throw new ServiceError('forbidden', 'The text of a personal message is for its authors and approvers.')
}
