import { ServiceError } from '../../contract/errors.ts'
import type { InboxItem, InboxRead } from '../../contract/recipients/recipient.ts'
import { type InboxRow, listInbox as listRows, markRead as mark } from '../../db/queries/subject/inbox.ts'
import type { RecipientPrincipal } from '../../domain/principal.ts'
import type { Services } from '../context.ts'
import { byId, type Page, type PageQuery, pageOf } from '../page.ts'

/**
 * What the caller received, newest first, a personal message too: it is theirs.
 * @throws ServiceError validation_error for a cursor that is none of ours
 */
export async function listInbox(
  { db }: Services,
  { subjectId }: RecipientPrincipal,
  query: PageQuery,
): Promise<Page<InboxItem>> {
  return pageOf(query, byId, (page) => listRows(db, { subjectId, ...page }), itemOf)
}

function itemOf({ receivedAt, readAt, messages, ...row }: InboxRow): InboxItem {
  return {
    ...row,
    receivedAt: receivedAt.toISOString(),
    readAt: readAt?.toISOString() ?? null,
    messages: messages ?? [],
  }
}

/**
 * Marks an item as read; again it answers when that was first said. The mark is its own record and needs no audit row.
 * @throws ServiceError not_found where the caller received no such thing
 */
export async function markRead(
  { db }: Services,
  { subjectId }: RecipientPrincipal,
  id: string,
): Promise<InboxRead> {
  const readAt = await mark(db, subjectId, id)
  if (!readAt) throw new ServiceError('not_found', 'There is no such message in your inbox. Check the id.')
  return { id, readAt: readAt.toISOString() }
}
