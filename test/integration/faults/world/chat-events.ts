import { createHmac, randomUUID } from 'node:crypto'
import { tapOf } from '../../../fixtures/conversations.ts'
import { canary } from './canaries.ts'
import type { Api, Installation } from './installation.ts'
import type { ChatWebhook } from './simulator.ts'

/** What people do in the chat, as events of its provider. */

/** The channel secret, which signs them. */
export const webhookSecret = 'a secret of the channel'

/** The webhook of an API process that listens on this port. */
export function webhookAt(port: number): ChatWebhook {
  return { url: `http://127.0.0.1:${port}/v1/webhooks/chat`, secret: webhookSecret }
}

/** An event as the channel posts it, with a reply token that the provider does not know any more. */
export function eventOf(address: string, event: { type: string; [field: string]: unknown }, at = Date.now()) {
  return {
    ...{
      webhookEventId: randomUUID(),
      timestamp: at,
      mode: 'active',
      replyToken: canary.token + randomUUID(),
    },
    ...{ source: { type: 'user', userId: address }, deliveryContext: { isRedelivery: false } },
    ...event,
  }
}

/** Posts events in one request, as the channel does. */
export async function postEvents(api: Pick<Api, 'url'>, events: object[]): Promise<void> {
  const body = JSON.stringify({ destination: 'U1', events })
  const signature = createHmac('sha256', webhookSecret).update(body).digest('base64')
  const headers = { 'content-type': 'application/json', 'x-line-signature': signature }
  const answer = await fetch(`${api.url}/v1/webhooks/chat`, { method: 'POST', headers, body })
  if (answer.status !== 200) throw new Error(`${answer.status}: ${await answer.text()}`)
}

/** A run, and the option by which its person answers. */
type Tapping = { id: string; address: string; answer: number | null }

/** Taps of these people, posted together. */
export async function tap(api: Pick<Api, 'url'>, runs: Tapping[]): Promise<void> {
  await postEvents(
    api,
    runs.map(({ id, address, answer }) => eventOf(address, tapOf(id, String(answer)))),
  )
}

/** A tap on the person's phone, which can be answered for free. */
export async function tapOnPhone(
  { simulator }: Installation,
  { id, address, answer }: Tapping,
): Promise<void> {
  await simulator.act(address, { kind: 'tap', data: tapOf(id, String(answer)).postback.data })
}
