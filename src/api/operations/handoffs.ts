import type { Services } from '../../services/context.ts'
import { closeHandoff } from '../../services/handoffs/close.ts'
import { getHandoff, listHandoffs } from '../../services/handoffs/records.ts'
import { replyInHandoff } from '../../services/handoffs/reply.ts'
import type { Handlers } from '../serve.ts'

/** Conversations that people of a unit take over (docs/api/handoffs.md). */
export function handoffHandlers(services: Services) {
  return {
    listHandoffs: ({ principal, query }) => listHandoffs(services, principal, query),
    getHandoff: ({ principal, params }) => getHandoff(services, principal, params.id),
    replyInHandoff: ({ principal, params, headers, body }) =>
      replyInHandoff(services, principal, params.id, body, headers['idempotency-key'] ?? null),
    closeHandoff: ({ principal, params }) => closeHandoff(services, principal, params.id),
  } satisfies Partial<Handlers>
}
