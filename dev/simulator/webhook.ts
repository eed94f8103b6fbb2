import { createHmac } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { destination, type WebhookEvent } from './webhook-event.ts'

/** The account's webhook, and the channel secret that signs its requests. */
export type Webhook = { url: string; secret: string }

/** Posts events to the webhook. */
export type WebhookSender = {
  /** Posts an event and returns the status of the first try; null without a response or a webhook. */
  tell(event: WebhookEvent): Promise<number | null>
  /** Cancels pending redeliveries. */
  close(): void
}

/** The provider's timeout for a webhook (ms). */
const timeoutMs = 2_000
/**
 * An event without a 2xx response is redelivered, marked as a redelivery, after these waits (ms). At the real provider,
 * redelivery is optional.
 */
const redeliveries = [1_000, 5_000, 25_000]

/** A sender to this webhook; without one it posts nothing. */
export function webhookSender(webhook: Webhook | undefined): WebhookSender {
  const closing = new AbortController()
  return {
    async tell(event) {
      if (!webhook) return null
      const status = await post(webhook, event)
      if (!isAccepted(status)) void redeliver(webhook, event, closing.signal)
      return status
    },
    close: () => closing.abort(),
  }
}

async function redeliver(webhook: Webhook, event: WebhookEvent, signal: AbortSignal): Promise<void> {
  const again = { ...event, deliveryContext: { isRedelivery: true } }
  for (const wait of redeliveries) {
    await sleep(wait, undefined, { signal, ref: false }).catch(() => {})
    if (signal.aborted || isAccepted(await post(webhook, again))) return
  }
}

async function post({ url, secret }: Webhook, event: WebhookEvent): Promise<number | null> {
  const body = JSON.stringify({ destination, events: [event] })
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'user-agent': 'LineBotWebhook/2.0',
    'x-line-signature': createHmac('sha256', secret).update(body).digest('base64'),
  }
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers,
      body,
      signal: AbortSignal.timeout(timeoutMs),
    })
    await answer.body?.cancel()
    return answer.status
  } catch {
    return null
  }
}

function isAccepted(status: number | null): boolean {
  return status !== null && status >= 200 && status < 300
}
