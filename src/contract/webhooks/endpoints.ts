import type { Endpoint } from '../endpoint.ts'
import { ChatWebhook, EmailWebhook, WebhookTaken } from './webhook.ts'

const told = { method: 'POST', tag: 'Webhooks', doors: ['adapter'], unit: 'none', errors: [] } as const
const answers = {
  200: { description: 'Stored; it is worked off afterwards.', schema: WebhookTaken, example: { stored: 1 } },
} as const

const oneByOne =
  'Each event is read by itself: one that is odd refuses none of the others. What is not of the form below is kept as ' +
  '`unreadable`, and counted in the answer; 400 says that there is no list of events at all.'

/** What channels tell us, signed by them. */
export const webhookEndpoints = {
  receiveChatWebhook: {
    ...told,
    path: '/v1/webhooks/chat',
    summary: 'Events of the chat provider',
    description:
      'Who followed, blocked, tapped or wrote. X-Channel-Signature, or x-line-signature: Base64 of HMAC-SHA256 over the ' +
      'body as it was sent, under the channel secret. Events that were told before are known by their webhookEventId; ' +
      'kinds that we do not know are kept and nothing more. ' +
      oneByOne,
    body: ChatWebhook,
    bodyExample: {
      destination: 'U00000000000000000000000000000000',
      events: [
        {
          type: 'follow',
          webhookEventId: '01JDE7M3QH0000000000000000',
          timestamp: 1_796_086_800_000,
          mode: 'active',
          source: { type: 'user', userId: 'U0123456789abcdef0123456789abcdef' },
          deliveryContext: { isRedelivery: false },
        },
      ],
    },
    answers,
  },
  receiveEmailWebhook: {
    ...told,
    path: '/v1/webhooks/email',
    summary: 'Bounces and complaints',
    description:
      'Each suppresses the address: nothing is mailed there any more until another one is bound. X-Channel-Signature: ' +
      'Base64 of HMAC-SHA256 over the body as it was sent, under the secret of this webhook. ' +
      oneByOne,
    body: EmailWebhook,
    bodyExample: { events: [{ id: 'b-1', type: 'bounce', address: 'lin@example.edu' }] },
    answers,
  },
} as const satisfies Record<string, Endpoint>
