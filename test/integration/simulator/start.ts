import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { JournalItem } from '../../../dev/simulator/journal.ts'
import { startSimulator } from '../../../dev/simulator/server.ts'
import type { Webhook } from '../../../dev/simulator/webhook.ts'
import type { WebhookEvent } from '../../../dev/simulator/webhook-event.ts'

export const token = 'channel-token'
export const alice = `U${'a'.repeat(32)}`
export const bob = `U${'b'.repeat(32)}`
export const hello = { type: 'text', text: 'Hello' } as const

/** A directory that is gone after the test. */
export async function temporaryDir(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'simulator-'))
  onTestFinished(() => rm(dir, { recursive: true, force: true }))
  return dir
}

/** A simulator of one test, on a free port, with a client for its interfaces. */
export async function simulator(options: { dir?: string; monthlyLimit?: number; webhook?: Webhook } = {}) {
  const dir = options.dir ?? (await temporaryDir())
  const { monthlyLimit, webhook } = options
  const { url, close, issueReplyToken } = await startSimulator({
    port: 0,
    dir,
    token,
    monthlyLimit,
    webhook,
  })
  let closed: Promise<void> | undefined
  const stop = () => (closed ??= close())
  onTestFinished(stop)
  return { url, dir, stop, issueReplyToken, ...callsTo(url) }
}

/** The provider's calls and the control interface of a simulator at this address. */
export function callsTo(url: string) {
  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    fetch(`${url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
  return {
    post,
    get: (path: string) => fetch(`${url}${path}`, { headers: { authorization: `Bearer ${token}` } }),
    push: (to: unknown, retryKey?: string, messages: unknown = [hello]) =>
      post('/v2/bot/message/push', { to, messages }, retryKey ? { 'x-line-retry-key': retryKey } : {}),
    multicast: (to: unknown, messages: unknown = [hello]) =>
      post('/v2/bot/message/multicast', { to, messages }),
    reply: (replyToken: string, headers: Record<string, string> = {}) =>
      post('/v2/bot/message/reply', { replyToken, messages: [hello] }, headers),
    fault: (fault: object) => post('/faults', fault),
    /** Somebody does something with their phone; answers what the webhook was told and what it said to that. */
    async does(id: string, act: object): Promise<{ event: WebhookEvent; status: number | null }> {
      return (await (await post(`/phones/${id}/actions`, act)).json()) as never
    },
    /** The whole journal, page by page. */
    async journal(): Promise<JournalItem[]> {
      const items: JournalItem[] = []
      for (let since = 0; ; ) {
        const page = (await (await fetch(`${url}/journal?since=${since}`)).json()) as Page
        if (page.items.length === 0) return items
        items.push(...page.items)
        since = page.next
      }
    },
  }
}
export type Page = { items: JournalItem[]; next: number }
