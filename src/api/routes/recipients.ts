import type { FastifyInstance } from 'fastify'
import type { Services } from '../../services/context.ts'
import { listInbox, markRead } from '../../services/recipients/inbox.ts'
import { getPreferences, putPreferences } from '../../services/recipients/preferences.ts'
import { serve } from '../serve.ts'

/** Inbox and preferences of recipients (docs/api/recipients.md). */
export function recipientRoutes(app: FastifyInstance, services: Services): void {
  serve(app, 'listInbox', ({ principal, query }) => listInbox(services, principal, query))

  serve(app, 'markInboxItemRead', ({ principal, params }) => markRead(services, principal, params.id))

  serve(app, 'getPreferences', ({ principal }) => getPreferences(services, principal))

  serve(app, 'putPreferences', ({ principal, body }) => putPreferences(services, principal, body))
}
