import { z } from 'zod'
import { orBroken } from './broken-rule.ts'
import { DateTime } from './common.ts'
import type { Endpoint } from './endpoint.ts'
import { limits } from './limits.ts'

/** A channel may add parameters of its own to the registered URL. */
const AnyQuery = z.looseObject({})

export const ChatEvent = z
  .looseObject({
    type: z
      .string()
      .min(1)
      .max(100)
      .describe('`follow`, `unfollow`, `postback` or `message`; any other type is stored without effect.'),
    webhookEventId: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .describe('The id of the event, by which a redelivered one is recognised.'),
    timestamp: z
      .number()
      .optional()
      .describe(
        'When it happened, in milliseconds since 1970. A negative or future value is replaced by the time of receipt.',
      ),
    source: z
      .looseObject({
        type: z.string().describe('`user`; events of groups and rooms are stored without effect.'),
        userId: z
          .string()
          .min(1)
          .max(200)
          .optional()
          .describe("The provider's id of the user: the chat address."),
      })
      .optional()
      .describe('Whom the event is about.'),
    postback: z
      .looseObject({ data: z.string().optional().describe('What Carillon wrote into the button.') })
      .optional()
      .describe('The button that was tapped, of type `postback`.'),
    message: z
      .unknown()
      .optional()
      .describe(
        'What the person sent, of type `message`: `{type: "text", text}`; anything else answers no question.',
      ),
  })
  .meta({
    id: 'ChatEvent',
    description: 'One event of the chat provider. Fields that Carillon does not read are stored.',
  })
/** What a person typed, in the `message` of a chat event. */
export const TypedText = z.looseObject({ type: z.literal('text'), text: z.string() })

export type ChatEvent = z.infer<typeof ChatEvent>

export const EmailEvent = z
  .strictObject({
    id: z.string().min(1).max(200).describe('Your own id of the event. A repeated one changes nothing.'),
    type: z
      .enum(['bounce', 'complaint'])
      .describe('`bounce`: the mail could not be delivered. `complaint`: its reader marked it as spam.'),
    address: z
      .string()
      .min(3)
      .max(320)
      .optional()
      .describe('The address of the mailbox. This or messageId is required.'),
    messageId: z
      .string()
      .min(3)
      .max(998)
      .optional()
      .describe('The Message-ID of the mail. This or address is required.'),
    permanent: z
      .boolean()
      .default(true)
      .describe('false: a transient bounce, which does not suppress the address. Default: true.'),
    at: z
      .string()
      .max(100)
      .optional()
      .meta({
        description:
          'When it happened: ISO 8601 with an offset. Omitted: at receipt. An invalid or future time is replaced by the time of receipt.',
        examples: ['2026-12-01T09:00:00+08:00'],
      }),
  })
  .refine(
    ({ address, messageId }) => address !== undefined || messageId !== undefined,
    orBroken('nothing_given', { of: 'address_or_message' }),
  )
  .meta({
    id: 'EmailEvent',
    description:
      'The outcome of a mail after it was accepted: at least one of address and messageId is given.',
  })
export type EmailEvent = z.infer<typeof EmailEvent>

/** Events are parsed one by one when they are stored, so that an invalid one does not reject the others. */
function listOf<Event extends z.ZodType>(event: Event) {
  return z
    .array(z.union([event, z.unknown().describe('Anything else is stored as `unreadable`.')]))
    .max(1_000)
    .describe(
      'The events, at most 1,000; may be empty. Each is parsed separately, and an invalid one is stored as `unreadable`.',
    )
}

export const ChatWebhook = z
  .looseObject({
    destination: z.string().optional().describe("The provider's id of the account."),
    events: listOf(ChatEvent),
  })
  .meta({
    id: 'ChatWebhook',
    description: 'A request of the chat provider. One without events only verifies the URL.',
  })
export type ChatWebhook = z.infer<typeof ChatWebhook>

export const EmailWebhook = z.strictObject({ events: listOf(EmailEvent) }).meta({
  id: 'EmailWebhook',
  description: 'Bounces and complaints, as the operator of the mail server reports them.',
})
export type EmailWebhook = z.infer<typeof EmailWebhook>

const avatarId = z.string().min(1).max(200)

export const AvatarEvent = z
  .looseObject({
    eventId: avatarId.describe(
      'Your own id of the event, 1 to 200 characters. A repeated one changes nothing.',
    ),
    type: z
      .enum(['requested', 'message', 'closed'])
      .describe(
        '`requested`: the person asks for a human, which opens a handoff. `message`: a text of the ' +
          'person in it. `closed`: the assistant takes the conversation back.',
      ),
    conversationId: avatarId.describe(
      'Your own id of the conversation, 1 to 200 characters. It has one open handoff at a time.',
    ),
    channelUser: avatarId.describe('The chat address of the person, 1 to 200 characters.'),
    text: z
      .string()
      .max(limits.handoffTextLength)
      .optional()
      .describe(
        `What the person said, at most ${limits.handoffTextLength.toLocaleString('en')} characters. Omitted: nothing, or no text.`,
      ),
    occurredAt: DateTime.describe(
      'When it happened. A time in the future is replaced by the time of receipt.',
    ),
  })
  .meta({
    id: 'AvatarEvent',
    description:
      'One event of the conversational assistant. Events of a person are worked off in the order of their receipt.',
  })
export type AvatarEvent = z.infer<typeof AvatarEvent>

export const WebhookReceipt = z
  .object({
    stored: z.int().min(0).describe('New events. Repeated ones are not counted.'),
    unreadable: z
      .int()
      .min(1)
      .optional()
      .describe(
        'The number of new events that could not be parsed. They are stored and have no effect. Omitted if there ' +
          'are none.',
      ),
    outdated: z
      .int()
      .min(1)
      .optional()
      .describe(
        'The number of events that happened longer ago than events are kept (RETENTION_WEBHOOKS_DAYS). They are ' +
          'dropped. Omitted if there are none.',
      ),
  })
  .meta({
    id: 'WebhookReceipt',
    description: 'How many events were stored. Workers process them afterwards.',
  })
export type WebhookReceipt = z.infer<typeof WebhookReceipt>

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
