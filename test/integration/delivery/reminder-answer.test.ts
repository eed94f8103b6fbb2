import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Simulator, startSimulator } from '../../../dev/simulator/server.ts'
import { buildApp } from '../../../src/api/app.ts'
import { type ChatClient, connectChat } from '../../../src/channels/chat/client.ts'
import { sendChat } from '../../../src/channels/chat/send.ts'
import type { Tap } from '../../../src/channels/chat/taps.ts'
import { approveMessage } from '../../../src/services/messages/approve.ts'
import { getMessage } from '../../../src/services/messages/read.ts'
import { submitMessage } from '../../../src/services/messages/submit.ts'
import { processNextWebhookEvent } from '../../../src/services/webhooks/process-event.ts'
import { makeDeliveryFixture, type ScriptedDelivery } from '../../fixtures/delivery.ts'
import { runUntilWait } from '../../fixtures/delivery-steps.ts'
import { createDraft } from '../../fixtures/message-fixture.ts'
import { addRecipients } from '../../fixtures/recipients.ts'
import { byCall } from '../../fixtures/senders.ts'
import { freshDatabase } from '../../harness/database.ts'
import { forFile } from '../../harness/for-file.ts'

const token = 'channel token'
const secret = 'channel secret'

let fixture: ScriptedDelivery
let app: Awaited<ReturnType<typeof buildApp>>
let simulator: Simulator
let chat: ChatClient
let dir: string
const database = forFile(freshDatabase)
beforeAll(async () => {
  const base = await makeDeliveryFixture(database.db)
  app = await buildApp(base.services, {
    probes: { temporal: async () => 'ok', adapters: {} },
    trustProxy: false,
    rates: { perMinute: 0, perSecond: 0 },
    auth: { webhookSecrets: { chat: secret }, mock: true },
  })
  const api = await app.listen({ port: 0, host: '127.0.0.1' })
  dir = await mkdtemp(join(tmpdir(), 'simulator-'))
  const webhook = { url: `${api}/v1/webhooks/chat`, secret }
  simulator = await startSimulator({ port: 0, dir, token, webhook })
  chat = connectChat({ baseUrl: simulator.url, token })
  const senders = { chat: byCall((call) => sendChat(chat, call)) }
  fixture = { ...base, delivery: { ...base.delivery, senders } }
})
afterAll(async () => {
  await simulator.close()
  await chat.close()
  await app.close()
  await rm(dir, { recursive: true, force: true })
})

async function people(tag: string): Promise<string[]> {
  const { rows } = await sql<{ address: string }>`
    select address from address join subject on subject.id = subject_id where tags && array[${tag}] order by uid
  `.execute(database.db)
  return rows.map(({ address }) => address)
}

/** The content of a person's phone. */
async function phone(id: string): Promise<string> {
  const { markup } = (await (await fetch(`${simulator.url}/phones/${id}`)).json()) as { markup: string }
  return markup.replaceAll('&quot;', '"')
}

/** Taps a button on a person's phone and lets the worker apply the event. */
async function taps(id: string, fits: (tap: Tap) => boolean): Promise<void> {
  const buttons = [...(await phone(id)).matchAll(/data-tap="(\{.*?\})"/g)].map(([, data]) => data!)
  const data = buttons.find((one) => fits(JSON.parse(one)))
  const body = JSON.stringify({ kind: 'tap', data })
  const answer = await fetch(`${simulator.url}/phones/${id}/actions`, { method: 'POST', body })
  expect(await answer.json()).toMatchObject({ status: 200 })
  while (await processNextWebhookEvent(fixture.services));
}

it('a recipient who taps "do not remind me" is not reminded, and the message shows how they answered', async () => {
  const tag = await addRecipients(database.db, 5)
  const [asks, answers, reads, , blocks] = await people(tag)
  const id = await createDraft(fixture, {
    audience: { kind: 'query', tags: [tag] },
    remindAt: new Date(Date.now() + 3_600_000).toISOString(),
    messages: [
      { kind: 'quickReply', text: { 'zh-TW': '來嗎？' }, options: [{ id: 'yes', label: { 'zh-TW': '來' } }] },
    ],
  })
  await submitMessage(fixture.services, fixture.producer, id)
  await approveMessage(fixture.services, fixture.approver, id)
  await runUntilWait(fixture, id)

  await taps(asks!, ({ a }) => a === 'do_not_remind')
  await taps(answers!, ({ o }) => o === '0')
  await fetch(`${simulator.url}/phones/${blocks}/actions`, { method: 'POST', body: '{"kind":"block"}' })
  while (await processNextWebhookEvent(fixture.services));
  const headers = { 'x-mock-channel-user': reads! }
  const [item] = (await app.inject({ url: '/v1/me/inbox', headers })).json().items
  await app.inject({ method: 'POST', url: `/v1/me/inbox/${item.id}/read`, headers })

  const detail = () => getMessage(fixture.services, fixture.producer, id)
  const before = { reached: 5, read: 3, doNotRemind: 1, sentAfterReminder: 0 }
  expect((await detail()).reminder).toMatchObject({ state: 'waiting', ...before })
  await sql`update message set remind_at = clock_timestamp() where id = ${id}`.execute(database.db)
  expect(await runUntilWait(fixture, id)).toMatchObject({ do: 'end' })

  expect((await detail()).reminder).toMatchObject({
    ...{ ...before, state: 'sent', sentAfterReminder: 3 },
    stats: { sent: 3, skipped: { doNotRemind: 1, blocked: 1 } },
  })
  const questionsTo = async (person: string) => (await phone(person)).match(/來嗎？/g)?.length
  expect((await phone(reads!)).match(/data-say="[^"]*不用提醒我"/g)).toHaveLength(1) // not in the reminder
  expect(await questionsTo(asks!)).toBe(1)
  expect(await questionsTo(answers!)).toBe(2)
})
