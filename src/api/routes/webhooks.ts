import type { FastifyInstance } from 'fastify'
import type { Services } from '../../services/context.ts'
import { receiveChatWebhook, receiveEmailWebhook } from '../../services/webhooks/receive.ts'
import { serve } from '../serve.ts'

/** What channels tell us: stored and answered at once. */
export function webhookRoutes(app: FastifyInstance, { db }: Services): void {
  serve(app, 'receiveChatWebhook', ({ body }) => receiveChatWebhook(db, body, new Date()))

  serve(app, 'receiveEmailWebhook', ({ body }) => receiveEmailWebhook(db, body, new Date()))
}
