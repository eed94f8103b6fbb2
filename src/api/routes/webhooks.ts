import type { FastifyInstance } from 'fastify'
import type { Services } from '../../services/context.ts'
import {
  receiveAvatarWebhook,
  receiveChatWebhook,
  receiveEmailWebhook,
} from '../../services/webhooks/receive.ts'
import { serve } from '../serve.ts'

/** Webhooks of the channels: stored and answered immediately, processed by workers. */
export function webhookRoutes(app: FastifyInstance, services: Services): void {
  serve(app, 'receiveChatWebhook', ({ body }) => receiveChatWebhook(services, body, new Date()))

  serve(app, 'receiveEmailWebhook', ({ body }) => receiveEmailWebhook(services, body, new Date()))

  serve(app, 'receiveAvatarWebhook', ({ body }) => receiveAvatarWebhook(services, body, new Date()))
}
