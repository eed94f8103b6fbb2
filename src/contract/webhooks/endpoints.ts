import type { Endpoint } from '../endpoint.ts'
import { limits } from '../limits.ts'
import { AnyQuery, AvatarEvent, ChatWebhook, EmailWebhook, WebhookReceipt } from './webhook.ts'

const webhook = {
  method: 'POST',
  tag: 'Webhooks',
  auth: ['adapter'],
  unit: 'none',
  query: AnyQuery,
  errors: [],
} as const
const answers = {
  200: {
    description: 'Stored. Workers process it afterwards.',
    schema: WebhookReceipt,
    example: { stored: 1 },
  },
} as const

const oneByOne =
  'Each event is parsed separately: an invalid one does not reject the others. It is stored as `unreadable` and ' +
  'counted in the response. A body without a list of events fails with 400.'

/** Webhooks of the channels, signed by them. */
export const webhookEndpoints = {
  receiveChatWebhook: {
    ...webhook,
    path: '/v1/webhooks/chat',
    summary: 'Receive events of the chat provider',
    description:
      'Follows, blocks, taps and messages. X-Channel-Signature or x-line-signature: Base64 of HMAC-SHA256 over the ' +
      'raw body, under the channel secret. Redelivered events are recognised by their webhookEventId; events of ' +
      'unknown types are stored and otherwise ignored. ' +
      oneByOne,
    values: limits.jsonValuesOfLists,
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
    ...webhook,
    path: '/v1/webhooks/email',
    summary: 'Receive bounces and complaints',
    description:
      'A complaint or a permanent bounce suppresses its address: no mail is sent to the subject until another ' +
      'address is bound. ' +
      'X-Channel-Signature: Base64 of HMAC-SHA256 over the raw body, under the secret of this webhook. ' +
      oneByOne,
    values: limits.jsonValuesOfLists,
    body: EmailWebhook,
    bodyExample: { events: [{ id: 'b-1', type: 'bounce', address: 'lin@example.edu' }] },
    answers,
  },
  receiveAvatarWebhook: {
    ...webhook,
    path: '/v1/webhooks/avatar',
    summary: 'Receive an event of the conversational assistant',
    description:
      'The assistant hands a conversation over to the members of a unit (setting AVATAR_UNIT), reports ' +
      'what the person writes meanwhile, and can take it back (docs/api/handoffs.md). ' +
      'X-Channel-Signature: Base64 of HMAC-SHA256 over the raw body, under the secret of this webhook. ' +
      'One event for each request; an invalid one fails with 400.',
    body: AvatarEvent,
    bodyExample: {
      eventId: 'a-1',
      type: 'requested',
      conversationId: 'c-20261201-7',
      channelUser: 'U0123456789abcdef0123456789abcdef',
      text: '我想找真人客服',
      occurredAt: '2026-12-01T09:00:00+08:00',
    },
    answers,
    errors: ['not_configured'],
  },
} as const satisfies Record<string, Endpoint>
