import { createHash, randomInt } from 'node:crypto'
import type { PhoneActionItem } from './phone-actions.ts'

/** An event as the provider posts it (LINE Messaging API reference, Webhook event objects). */
export type WebhookEvent = Record<string, unknown> & {
  type: string
  webhookEventId: string
  deliveryContext: { isRedelivery: boolean }
}

/** The destination of webhooks: the account's own user id. */
export const destination = `U${createHash('md5').update('carillon').digest('hex')}`

/**
 * The webhook event of an action. `hadBlocked`: the person blocked the account before it. Events that can be replied to
 * carry a reply token.
 */
export function eventOf(
  { userId, at, act }: PhoneActionItem,
  { hadBlocked, issueReplyToken }: { hadBlocked: boolean; issueReplyToken: (userId: string) => string },
): WebhookEvent {
  const timestamp = Date.parse(at)
  const common = {
    webhookEventId: ulid(timestamp),
    timestamp,
    mode: 'active',
    source: { type: 'user', userId },
    deliveryContext: { isRedelivery: false },
  }
  const replyToken = act.kind === 'block' ? {} : { replyToken: issueReplyToken(userId) }
  switch (act.kind) {
    case 'follow':
      return { type: 'follow', ...common, ...replyToken, follow: { isUnblocked: hadBlocked } }
    case 'block':
      return { type: 'unfollow', ...common }
    case 'tap':
      return { type: 'postback', ...common, ...replyToken, postback: { data: act.data } }
    case 'say': {
      const id = String(timestamp) + String(randomInt(1_000)).padStart(3, '0')
      return { type: 'message', ...common, ...replyToken, message: { type: 'text', id, text: act.text } }
    }
  }
}

const crockford = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** A ULID: ten digits of time (ms) and sixteen random ones. */
function ulid(time: number): string {
  const digits = Array.from({ length: 10 }, (_, place) => Math.floor(time / 32 ** (9 - place)) % 32)
  const random = Array.from({ length: 16 }, () => randomInt(32))
  return [...digits, ...random].map((digit) => crockford[digit]).join('')
}
