import { ServiceError } from '../../contract/errors.ts'
import type { InboxItem, InboxRead } from '../../contract/subjects/recipients.ts'
import { type InboxRow, listInbox as listRows, markRead as mark } from '../../db/queries/subject/inbox.ts'
import type { RecipientPrincipal } from '../../domain/rights/principal.ts'
import type { Services } from '../context.ts'
import { byId, type Page, type PageQuery, pageOf } from '../page.ts'

/**
 * The messages the caller received, newest first, personal ones included.
 * @throws ServiceError validation_error for an invalid cursor
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
 * Marks an item as read. A repeated call returns the time of the first. The mark is its own record and needs no audit
 * row.
 * @throws ServiceError not_found if the caller did not receive the message
 */
export async function markRead(
  { db }: Services,
  { subjectId }: RecipientPrincipal,
  id: string,
): Promise<InboxRead> {
  const readAt = await mark(db, subjectId, id)
  if (!readAt) throw new ServiceError('not_found', 'No such message in your inbox. Check the id.')
  return { id, readAt: readAt.toISOString() }
}
