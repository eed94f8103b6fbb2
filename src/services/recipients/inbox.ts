import { ServiceError } from '../../contract/errors.ts'
import type { InboxCount, InboxItem, InboxQuery, InboxRead } from '../../contract/subjects/recipients.ts'
import {
  countUnread as count,
  type InboxRow,
  listInbox as listRows,
  markRead as mark,
} from '../../db/queries/subject/inbox.ts'
import type { RecipientPrincipal } from '../../domain/rights/principal.ts'
import type { Services } from '../context.ts'
import { byId, type Page, pageOf } from '../page.ts'

/**
 * The messages the caller received, newest first, personal ones included.
 * @throws ServiceError validation_error for an invalid cursor
 */
export async function listInbox(
  { db }: Services,
  { subjectId }: RecipientPrincipal,
  { unread, ...query }: InboxQuery,
): Promise<Page<InboxItem>> {
  const only = { subjectId, unread: unread !== undefined }
  return pageOf(query, byId, (page) => listRows(db, { ...only, ...page }), itemOf)
}

/** How many items of the caller's inbox are not marked as read. */
export async function countUnread({ db }: Services, { subjectId }: RecipientPrincipal): Promise<InboxCount> {
  return { unread: await count(db, subjectId) }
}

function itemOf({ sentAt, expiresAt, readAt, messages, ...row }: InboxRow): InboxItem {
  return {
    ...row,
    sentAt: sentAt.toISOString(),
    expiresAt: expiresAt?.toISOString() ?? null,
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
