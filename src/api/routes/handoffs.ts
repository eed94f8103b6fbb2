import type { FastifyInstance } from 'fastify'
import type { Services } from '../../services/context.ts'
import { closeHandoff } from '../../services/handoffs/close.ts'
import { getHandoff, listHandoffs } from '../../services/handoffs/records.ts'
import { replyInHandoff } from '../../services/handoffs/reply.ts'
import { serve } from '../serve.ts'

/** Conversations that people of a unit take over (docs/api/handoffs.md). */
export function handoffRoutes(app: FastifyInstance, services: Services): void {
  serve(app, 'listHandoffs', ({ principal, query }) => listHandoffs(services, principal, query))

  serve(app, 'getHandoff', ({ principal, params }) => getHandoff(services, principal, params.id))

  serve(app, 'replyInHandoff', ({ principal, params, headers, body }) =>
    replyInHandoff(services, principal, params.id, body, headers['idempotency-key'] ?? null),
  )

  serve(app, 'closeHandoff', ({ principal, params }) => closeHandoff(services, principal, params.id))
}
