import type { Services } from '../../services/context.ts'
import { countUnread, listInbox, markRead } from '../../services/recipients/inbox.ts'
import { getPreferences, putPreferences } from '../../services/recipients/preferences.ts'
import type { Handlers } from '../serve.ts'

/** Inbox and preferences of recipients (docs/api/recipients.md). */
export function recipientHandlers(services: Services) {
  return {
    listInbox: ({ principal, query }) => listInbox(services, principal, query),
    countUnread: ({ principal }) => countUnread(services, principal),
    markInboxItemRead: ({ principal, params }) => markRead(services, principal, params.id),
    getPreferences: ({ principal }) => getPreferences(services, principal),
    putPreferences: ({ principal, body }) => putPreferences(services, principal, body),
  } satisfies Partial<Handlers>
}
