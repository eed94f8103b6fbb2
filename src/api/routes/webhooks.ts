import type { FastifyInstance } from 'fastify'
import type { Services } from '../../services/context.ts'
import {
  receiveAssistantWebhook,
  receiveChatWebhook,
  receiveEmailWebhook,
} from '../../services/webhooks/receive.ts'
import { serve } from '../serve.ts'

/** Webhooks of the channels: stored and answered immediately, processed by workers. */
export function webhookRoutes(app: FastifyInstance, services: Services): void {
  serve(app, 'receiveChatWebhook', ({ body }) => receiveChatWebhook(services, body, new Date()))

  serve(app, 'receiveEmailWebhook', ({ body }) => receiveEmailWebhook(services, body, new Date()))

  serve(app, 'receiveAvatarWebhook', ({ body }) => receiveAssistantWebhook(services, body, new Date()))
}
