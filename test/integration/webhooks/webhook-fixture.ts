import { createHmac, randomUUID } from 'node:crypto'
import { processNextWebhookEvent } from '../../../src/services/webhooks/process-event.ts'
import { type Api, startApi } from '../../fixtures/api.ts'

export const webhookSecrets = { chat: 'chat secret', email: 'mail secret' }

/** An API whose channels send webhooks, and a worker that applies them. */
export type WebhookApi = Api & ReturnType<typeof webhookSteps>

export async function startWebhookApi(): Promise<WebhookApi> {
  const api = await startApi({ auth: { mock: false, webhookSecrets } })
  return { ...api, ...webhookSteps(api) }
}

export function signature(secret: string, raw: string): string {
  return createHmac('sha256', secret).update(raw).digest('base64')
}

/** An event of the chat, as the provider posts it. */
export function event(type: string, userId: string, more: object = {}) {
  return {
    ...{ type, webhookEventId: randomUUID(), timestamp: Date.now(), mode: 'active' },
    ...{ source: { type: 'user', userId }, deliveryContext: { isRedelivery: false } },
    ...more,
  }
}

/** A tap on a button with these data. */
export function postback(userId: string, data: unknown) {
  return event('postback', userId, {
    postback: { data: typeof data === 'string' ? data : JSON.stringify(data) },
  })
}

function webhookSteps({ call, database: { db } }: Api) {
  const services = { db, log: { warn() {} } } as never
  const processNext = () => processNextWebhookEvent(services)
  /** Processes pending events, several at once, like several workers. */
  const processAll = async () => {
    const worker = async () => {
      while (await processNext());
    }
    await Promise.all([worker(), worker(), worker()])
  }
  const postEvents = async (...events: object[]) => {
    const raw = JSON.stringify({ destination: 'U1', events })
    const headers = { 'x-line-signature': signature(webhookSecrets.chat, raw) }
    return call('receiveChatWebhook', { raw, headers })
  }
  const happens = async (...events: object[]) => {
    await postEvents(...events)
    await processAll()
  }
  const outcomes = async () => {
    const rows = await db.selectFrom('webhook_event').select('outcome').orderBy('id').execute()
    return rows.map(({ outcome }) => outcome)
  }
  /** A person with a chat and a mail address. */
  const person = (uid: string) =>
    db
      .selectFrom('subject')
      .innerJoin('address', 'address.subject_id', 'subject.id')
      .select(['subject.id', 'acquisition_source as source', 'blocked_at as blocked'])
      .where('uid', '=', uid)
      .executeTakeFirstOrThrow()
  return { processNext, processAll, postEvents, happens, outcomes, person }
}
