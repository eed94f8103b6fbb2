import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkChatTurns } from '../../../dev/journal-check/turns.ts'
import { startSimulator } from '../../../dev/simulator/server.ts'
import { createCircuitBreaker } from '../../../src/activities/delivery/circuit-breaker.ts'
import type { DeliveryContext } from '../../../src/activities/delivery/context.ts'
import { sendNextReply } from '../../../src/activities/scenario/send-turn.ts'
import { connectChat } from '../../../src/channels/chat/client.ts'
import { replyChat, sendChat } from '../../../src/channels/chat/send.ts'
import type { CallSender } from '../../../src/channels/connection.ts'
import { setDefaultLimit } from '../../../src/db/queries/quota/ledger.ts'
import { closeSilentHandoffs } from '../../../src/services/handoffs/close.ts'
import { processNextWebhookEvent } from '../../../src/services/webhooks/process-event.ts'
import { startApi } from '../../fixtures/api.ts'
import { storeEvent } from '../../fixtures/conversations.ts'
import { insertChatPerson, insertHandoff } from '../../fixtures/handoffs.ts'
import { brokenInvariants } from '../../fixtures/invariants.ts'
import { selectRows, updateRows } from '../../fixtures/rows.ts'
import { byCall } from '../../fixtures/senders.ts'
import { callsTo, token } from '../../fixtures/simulator-calls.ts'
import { forFile } from '../../harness/for-file.ts'

let chat: ReturnType<typeof callsTo>
let worker: () => DeliveryContext
let stop: () => Promise<void>
const api = forFile(startApi)
beforeAll(async () => {
  const dir = await mkdtemp(join(tmpdir(), 'replies-'))
  const simulator = await startSimulator({ port: 0, dir, token })
  const client = connectChat({ baseUrl: simulator.url, token })
  chat = callsTo(simulator.url)
  worker = () => ({
    services: { ...api.services, replyChat: (reply) => replyChat(client, reply) },
    senders: { chat: byCall((call) => sendChat(client, call)) },
    drain: { draining: false },
    breaker: createCircuitBreaker(),
  })
  stop = async () => {
    await client.close()
    await simulator.close()
    await rm(dir, { recursive: true, force: true })
  }
  await setDefaultLimit(api.database.db, { scope: 'pool', channel: 'chat', limit: 1_000 })
})
afterAll(async () => {
  const { db } = api.database
  expect(await brokenInvariants(db)).toEqual([])
  expect((await checkChatTurns(db, await chat.journal())).filter(({ ok }) => !ok)).toEqual([])
  await stop()
})

const as = () => ({ session: api.sessions.editor })
const words = (zh: string) => ({ messages: [{ kind: 'text', text: { 'zh-TW': zh } }] })
const reply = (id: string, body: object, key?: string) =>
  api.call('replyInHandoff', { ...as(), id, body, ...(key && { headers: { 'idempotency-key': key } }) })
const messagesOf = async (id: string) => (await api.call('getHandoff', { ...as(), id })).body.messages
const receivedBy = async (address: string) =>
  (await chat.journal()).filter(({ to, status }) => to.includes(address) && status === 200)
const workOff = async (delivery = worker()) => {
  while (await sendNextReply(delivery));
}

/** Ends the lease of the worker that was sending a reply in this handoff. */
const endLease = (id: string) =>
  updateRows(api.database.db, 'turn', { handoff_id: id }, { lease_until: new Date(0) })

/** An open handoff with somebody new who has a chat address, and has said nothing yet. */
async function open() {
  const { db } = api.database
  const person = await insertChatPerson(db)
  const id = await insertHandoff(db, { unit_id: api.units.a, channel_user: person.address })
  return { ...person, id }
}

describe('a reply', () => {
  it('is stored, then sent once in the chat, and paid by the unit', async () => {
    const { id, address } = await open()
    const answer = await reply(id, words('您好'))
    expect(answer).toMatchObject({ status: 202, body: { state: 'pending' } })
    expect(await messagesOf(id)).toMatchObject([
      { id: answer.body.id, from: 'unit', state: 'pending', messages: words('您好').messages, text: null },
    ])
    await workOff()
    const received = await receivedBy(address)
    expect(received.map(({ messages }) => messages)).toMatchObject([[{ type: 'text', text: '您好' }]])
    expect(await messagesOf(id)).toMatchObject([{ state: 'sent', by: { name: 'Editor' } }])
    const uid = (await api.call('getHandoff', { ...as(), id })).body.uid
    const turns = await api.call('listSubjectTurns', { key: api.keys.administrative, id: uid })
    expect(turns.body.items).toMatchObject([{ handoffId: id, runId: null, scenarioId: null, state: 'sent' }])
    const turn = api.database.db.selectFrom('turn').selectAll().where('handoff_id', '=', id)
    expect(await turn.executeTakeFirstOrThrow()).toMatchObject({ by: 'push', unit_id: api.units.a })
    const entries = await selectRows(api.database.db, 'audit', { object_id: id, action: 'reply' }, [
      'action',
      'details',
    ])
    expect(entries).toEqual([{ action: 'reply', details: { messageId: answer.body.id } }])
  })

  it('to what the person has just said is free', async () => {
    const { id, address } = await open()
    const { event } = await chat.does(address, { kind: 'say', text: '在嗎' })
    await storeEvent({ db: api.database.db }, address, { ...event })
    await reply(id, words('在'))
    await workOff()
    const turn = api.database.db.selectFrom('turn').selectAll().where('handoff_id', '=', id)
    expect(await turn.executeTakeFirstOrThrow()).toMatchObject({ by: 'reply', state: 'sent', pool_pushes: 0 })
  })

  it('comes after those before it, also when these must wait', async () => {
    const [{ id, address }, other] = [await open(), await open()]
    await chat.fault({ status: 500, to: address, times: 1_000 })
    for (const one of ['一', '二', '三']) await reply(id, words(one))
    await reply(other.id, words('別人'))
    await workOff()
    expect(await receivedBy(other.address)).toHaveLength(1)
    expect((await messagesOf(id)).map(({ state }: { state: string }) => state)).toEqual([
      'pending',
      'pending',
      'pending',
    ])
    await chat.recover()
    const { db } = api.database
    await db.updateTable('turn').set({ next_try_at: null }).where('handoff_id', '=', id).execute()
    await workOff()
    const texts = (await receivedBy(address)).flatMap(({ messages }) =>
      messages.map((message) => (message as { text: string }).text),
    )
    expect(texts).toEqual(['一', '二', '三'])
  })

  it('is skipped for who has blocked the account, and for them alone', async () => {
    const { id, subjectId } = await open()
    const { db } = api.database
    await updateRows(db, 'address', { subject_id: subjectId }, { blocked_at: new Date() })
    await reply(id, words('您好'))
    await workOff()
    expect(await messagesOf(id)).toMatchObject([{ state: 'skipped', reason: 'blocked' }])
  })

  it('reaches who was bound to the chat address after the handoff was opened', async () => {
    const { id, subjectId } = await open()
    await reply(id, words('您好'))
    expect((await api.call('getHandoff', { ...as(), id })).body).toMatchObject({ subjectId })
    await workOff()
  })

  it('that a worker died with is sent once all the same', async () => {
    const { id, address } = await open()
    await reply(id, words('您好'))
    const dying = worker()
    const { send } = dying.senders.chat as CallSender<'chat'>
    dying.senders.chat = byCall(async (call) => {
      await send(call)
      throw new Error('killed')
    })
    await expect(sendNextReply(dying)).rejects.toThrow('killed')
    expect(await sendNextReply(worker())).toBe(false)
    await endLease(id)
    await workOff()
    expect(await messagesOf(id)).toMatchObject([{ state: 'sent' }])
    expect(await receivedBy(address)).toHaveLength(1)
  })

  it('that may have arrived is not repeated to who has the address now', async () => {
    const { id, uid, address } = await open()
    await reply(id, words('您好'))
    const dying = worker()
    dying.senders.chat = byCall(() => Promise.reject(new Error('killed')))
    await expect(sendNextReply(dying)).rejects.toThrow('killed')
    const directory = { key: api.keys.administrative }
    await api.call('unbindAddress', { ...directory, id: uid })
    await api.call('bindAddress', { ...directory, id: randomUUID(), body: { address } })
    await endLease(id)
    await workOff()
    expect(await messagesOf(id)).toMatchObject([{ state: 'unknown', reason: 'moved' }])
    expect(await receivedBy(address)).toEqual([])
  })

  it('that the provider has refused to take for a day ends as expired', async () => {
    const { id, address } = await open()
    const { db } = api.database
    await reply(id, words('您好'))
    await chat.fault({ status: 429, to: address, times: 1 })
    await workOff()
    expect(await messagesOf(id)).toMatchObject([{ state: 'pending' }])
    await updateRows(db, 'turn', { handoff_id: id }, { next_try_at: null, held_ms: 86_400_000 })
    await db.deleteFrom('channel_rest').execute()
    await workOff()
    expect(await messagesOf(id)).toMatchObject([{ state: 'skipped', reason: 'expired' }])
    expect(await receivedBy(address)).toEqual([])
  })

  it('that the provider may have taken ends as unknown, a push after a day, a free reply at once', async () => {
    const { db } = api.database
    const [pushed, replied] = [await open(), await open()]
    const { event } = await chat.does(replied.address, { kind: 'say', text: '在嗎' })
    await storeEvent({ db }, replied.address, { ...event })
    for (const { id } of [pushed, replied]) await reply(id, words('您好'))
    const dying = worker()
    dying.senders.chat = byCall(() => Promise.reject(new Error('killed')))
    dying.services.replyChat = () => Promise.reject(new Error('killed'))
    for (const _ of [1, 2]) await expect(sendNextReply(dying)).rejects.toThrow('killed')
    const dayAgo = new Date(Date.now() - 86_400_000)
    const ids = [pushed.id, replied.id]
    await db
      .updateTable('turn')
      .set({ lease_until: new Date(0), first_try_at: dayAgo, tries: 2 })
      .where('handoff_id', 'in', ids)
      .execute()
    await workOff()
    expect(await messagesOf(pushed.id)).toMatchObject([{ state: 'unknown', reason: 'too_old' }])
    expect(await messagesOf(replied.id)).toMatchObject([{ state: 'unknown', reason: 'interrupted' }])
  })

  it('whose token is gone is pushed', async () => {
    const { id, address } = await open()
    const { db } = api.database
    const event = { replyToken: randomUUID(), message: { type: 'text', text: '在嗎' } }
    await storeEvent({ db }, address, { type: 'message', ...event })
    await reply(id, words('在'))
    await workOff()
    const turn = db.selectFrom('turn').selectAll().where('handoff_id', '=', id)
    expect(await turn.executeTakeFirstOrThrow()).toMatchObject({ by: 'push', state: 'sent' })
  })

  it('is taken by one of several workers', async () => {
    const { id, address } = await open()
    for (const one of ['一', '二', '三']) await reply(id, words(one))
    await Promise.all([worker(), worker(), worker()].map(workOff))
    await workOff()
    expect(await receivedBy(address)).toHaveLength(3)
  })
})

describe('a reply that waits for the provider', () => {
  const longAgo = new Date(Date.now() - 25 * 3_600_000)

  it('is no silence, nor is one that has just been sent', async () => {
    const { id } = await open()
    const { db } = api.database
    const state = async () => (await api.call('getHandoff', { ...as(), id })).body.state
    await reply(id, words('您好'))
    await db.updateTable('handoff').set({ spoken_at: longAgo }).where('id', '=', id).execute()
    await closeSilentHandoffs(api.services)
    expect(await state()).toBe('open')
    await workOff()
    await closeSilentHandoffs(api.services)
    expect(await state()).toBe('open')
    await db.updateTable('turn').set({ closed_at: longAgo }).where('handoff_id', '=', id).execute()
    await closeSilentHandoffs(api.services)
    expect(await state()).toBe('closed')
  })
})

describe('a person whom two units have taken over', () => {
  it('is heard by the one that spoke to them last', async () => {
    const { id, subjectId, address } = await open()
    const { db } = api.database
    await reply(id, words('我是教務處'))
    await workOff()
    const other = await insertHandoff(db, { unit_id: api.units.b, subject_id: subjectId })
    const hears = async (text: string) => {
      await storeEvent({ db }, address, { type: 'message', message: { type: 'text', text } })
      while (await processNextWebhookEvent(api.services));
      const query = db.selectFrom('handoff_message').select('handoff_id').where('text', '=', text)
      return (await query.executeTakeFirstOrThrow()).handoff_id
    }
    expect(await hears('給新的')).toBe(other)
    await reply(id, words('還有一件事'))
    expect(await hears('還在等')).toBe(other)
    await workOff()
    expect(await hears('給教務處')).toBe(id)
  })
})

describe('a repeated reply', () => {
  it('with the same key gets the first one, however many come at once', async () => {
    const { id, address } = await open()
    const answers = await Promise.all(Array.from({ length: 10 }, () => reply(id, words('您好'), 'k')))
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1)
    await workOff()
    expect((await reply(id, words('您好'), 'k')).body).toEqual({ id: answers[0]!.body.id, state: 'sent' })
    expect(await receivedBy(address)).toHaveLength(1)
    const other = await reply(id, words('再見'), 'k')
    expect(other).toMatchObject({
      code: 'idempotency_mismatch',
      body: { error: { details: { id: answers[0]!.body.id } } },
    })
    await api.call('closeHandoff', { ...as(), id })
    expect((await reply(id, words('您好'), 'k')).body.state).toBe('sent')
  })
})

describe('a reply is refused', () => {
  it('once the handoff is closed', async () => {
    const { id } = await open()
    await api.call('closeHandoff', { ...as(), id })
    expect((await reply(id, words('您好'))).body.error).toMatchObject({
      ...{
        code: 'invalid_transition',
        details: { state: 'closed', by: expect.stringMatching(/^(person|key):/) },
      },
    })
  })

  it('while nobody is bound to the chat address', async () => {
    const id = await insertHandoff(api.database.db, { unit_id: api.units.a })
    expect((await reply(id, words('您好'))).code).toBe('invalid_transition')
    expect(await messagesOf(id)).toEqual([])
  })

  it('with buttons that answer, and with what the chat cannot carry', async () => {
    const { id } = await open()
    const label = { 'zh-TW': '是' }
    const buttons = (action: object) => ({
      messages: [{ kind: 'buttons', text: label, actions: [{ label, ...action }] }],
    })
    const link = { kind: 'uri', url: 'https://example.edu' }
    expect((await reply(id, buttons({ kind: 'postback', data: { v: 1 } }))).code).toBe('validation_error')
    const quick = { kind: 'quickReply', text: label, options: [{ id: 'y', label }] }
    expect((await reply(id, { messages: [quick] })).code).toBe('validation_error')
    expect((await reply(id, words('字'.repeat(5_001)))).code).toBe('content_violation')
    expect((await reply(id, { messages: [] })).code).toBe('validation_error')
    expect((await reply(id, buttons(link))).status).toBe(202)
    expect(await messagesOf(id)).toHaveLength(1)
  })

  it('to other units, and to keys without the right', async () => {
    const { id } = await open()
    const body = words('您好')
    expect((await api.call('replyInHandoff', { key: api.keys.b, id, body })).code).toBe('not_found')
    expect((await api.call('replyInHandoff', { key: api.keys.a, id, body })).code).toBe('forbidden')
  })
})

describe('the same words of keys', () => {
  const byKey = (id: string, body: object, key = api.keys.individual) =>
    api.call('replyInHandoff', { key, id, body })

  it('go to five people within an hour, however they are written, by whichever key', async () => {
    const text = `暑修開放報名 ${randomUUID()}`
    const other = await api.newKey(api.units.a, { handoffReply: true })
    for (let n = 0; n < 5; n += 1)
      expect(
        (await byKey((await open()).id, words(n % 2 ? `「${text}」！` : text), n % 2 ? other : undefined))
          .status,
      ).toBe(202)
    const sixth = (await open()).id
    const { status, body } = await byKey(sixth, words(` ${text.toUpperCase()}。`))
    expect({ status, message: body.error.message }).toEqual({
      status: 403,
      message: expect.stringContaining('write a message'),
    })
    expect(await messagesOf(sixth)).toEqual([])
    expect((await byKey(sixth, words(`${text} 另外`))).status).toBe(202)
    await sql`update handoff_message set at = at - interval '61 minutes'`.execute(api.database.db)
    expect((await byKey(sixth, words(text))).status).toBe(202)
  })

  it('go to no more when they are sent at once', async () => {
    const body = words(`同時 ${randomUUID()}`)
    const ids = await Promise.all(Array.from({ length: 12 }, async () => (await open()).id))
    const answers = await Promise.all(ids.map((id) => byKey(id, body)))
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(5)
  })

  it('go to one person as often as they are said, and members are not limited', async () => {
    const body = words(`再說一次 ${randomUUID()}`)
    const { id } = await open()
    for (let n = 0; n < 7; n += 1) expect((await byKey(id, body)).status).toBe(202)
    for (let n = 0; n < 7; n += 1) expect((await reply((await open()).id, body)).status).toBe(202)
  })

  it('need a right of their own', async () => {
    const key = await api.newKey(api.units.a, { individualTargeting: true })
    const { id } = await open()
    expect((await api.call('getHandoff', { key, id })).status).toBe(200)
    const { status, body } = await byKey(id, words('您好'), key)
    expect({ status, message: body.error.message }).toEqual({
      status: 403,
      message: expect.stringContaining('handoffReply'),
    })
  })
})

it('what was replied is gone with the person', async () => {
  const { id, uid } = await open()
  const canary = `canary-${randomUUID()}`
  await reply(id, words(canary))
  await api.call('eraseSubject', { key: api.keys.administrative, id: uid })
  await workOff()
  const turn = api.database.db.selectFrom('turn').selectAll().where('handoff_id', '=', id)
  expect(await turn.executeTakeFirstOrThrow()).toMatchObject({
    says: null,
    state: 'unknown',
    reason: 'erased',
  })
})
