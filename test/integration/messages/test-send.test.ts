import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { checkChatJournal } from '../../../dev/journal-check/chat.ts'
import type { Cleared } from '../../../src/channels/cleared.ts'
import type { Senders } from '../../../src/channels/connection.ts'
import { linkSigner } from '../../../src/channels/email/links.ts'
import { createMailSender } from '../../../src/channels/email/mailing.ts'
import { adapters } from '../../../src/channels/index.ts'
import type { Outcome } from '../../../src/domain/message/outcome.ts'
import { startApi } from '../../fixtures/api.ts'
import { contentFor } from '../../fixtures/cleared.ts'
import { mailbox, mailerTo, sender } from '../../fixtures/mailbox.ts'
import { createMessage } from '../../fixtures/new-message.ts'
import { updateRows } from '../../fixtures/rows.ts'
import { byCall, byMails } from '../../fixtures/senders.ts'
import { eventually } from '../../harness/eventually.ts'
import { forFile } from '../../harness/for-file.ts'

const publicUrl = 'https://hub.example.edu'
const senders: Senders = {}
let calls: { to: string; content: Cleared<unknown>; retryKey?: string }[]
let outcome: Outcome
const api = forFile(() => startApi({ services: { channels: adapters, publicUrl, senders } }))
beforeEach(() => {
  calls = []
  outcome = { kind: 'accepted' }
  senders.chat = byCall(async ({ to: [to], content, retryKey }) => {
    calls.push({ to: to!, content, retryKey })
    return outcome
  })
  senders.email = byMails(async ({ to: [to], content }) => {
    calls.push({ to: to!.address, content })
    return [outcome]
  })
})

async function draft(body: object = {}): Promise<string> {
  const message = { categoryId: 'mail', ...body }
  return (await createMessage(api, message)).body.id
}

function send(id: string, body?: object, as: object = { session: api.sessions.approver }) {
  return api.call('testSendMessage', { ...as, id, body })
}

const ledger = () => api.database.db.selectFrom('quota_ledger').select(['reserved', 'committed']).execute()

describe('a test message', () => {
  it('goes by mail to the caller alone, marked, with links that do nothing', async () => {
    const { port, journal } = await mailbox()
    const from = { name: 'Hub', address: sender }
    const identity = { from, publicUrl, links: linkSigner(Buffer.alloc(32, 7)), dkim: undefined }
    senders.email = byMails(createMailSender(mailerTo(port), identity))
    const options = [{ id: 'yes', label: { 'zh-TW': '會' } }]
    const id = await draft({ messages: [{ kind: 'quickReply', text: { 'zh-TW': '要來嗎？' }, options }] })
    expect((await send(id)).body).toEqual({ sent: true, channel: 'email' })
    const [mail, ...others] = await journal()
    expect(others).toEqual([])
    expect(mail).toMatchObject({ to: 'approver@example.org', subject: '【測試】要來嗎？' })
    expect(mail!.headers).toMatchObject({ 'x-carillon-test': 'yes', 'x-carillon-message': id })
    expect(Object.keys(mail!.headers)).not.toContain('list-unsubscribe')
  })

  it('goes by chat to the subject that the caller is, in the caller’s language', async () => {
    const { db } = api.database
    const id = await draft({ categoryId: 'news' })
    expect((await send(id)).body.error.details.issues[0].message).toContain(
      'on which an address is bound to you',
    )
    await updateRows(db, 'person', { name: 'Approver' }, { subject_uid: 's1', language: 'en' })
    expect((await send(id)).body).toEqual({ sent: true, channel: 'chat' })
    expect(calls[0]!.to).toBe('Us1')
    const [first] = contentFor(calls[0]!.content as Cleared<unknown[]>, ['Us1'])
    expect(first).toEqual({ type: 'text', text: '[Test] This message is sent only to you.' })
  })

  it('is known to the journal check by its keys, and no other call is', async () => {
    const { db } = api.database
    await db.updateTable('person').set({ subject_uid: 's1' }).where('name', '=', 'Approver').execute()
    await send(await draft({ categoryId: 'news' }))
    const retryKeys = calls.map(({ retryKey }) => retryKey!)
    expect(retryKeys).toHaveLength(1)
    const journal = [...retryKeys, randomUUID()].map((retryKey, index) => ({
      ...{ seq: index + 1, status: 200, to: ['Us1'], retryKey },
    }))
    const [twice] = await checkChatJournal(db, journal)
    expect(twice).toMatchObject({
      name: 'chat-sent-once',
      violations: ['journal 2: no call has its retry key'],
    })
  })

  it('is audited, moves nothing and costs nothing', async () => {
    const id = await draft()
    const before = await ledger()
    await send(id)
    const { state, timeline } = (await api.call('getMessage', { key: api.keys.a, id })).body
    expect(state).toBe('draft')
    expect(timeline.at(-1)).toMatchObject({ action: 'test_send', by: { name: 'Approver' } })
    expect(await ledger()).toEqual(before)
  })

  it('is for people: a producer key has no address', async () => {
    const { status, code } = await send(await draft(), undefined, { key: api.keys.a })
    expect([status, code]).toEqual([403, 'forbidden'])
  })

  it('shows a personal text only to those who may read it', async () => {
    const { id } = (
      await createMessage(
        api,
        { categoryId: 'mail', audience: { kind: 'individual', uids: ['s1'] } },
        { key: api.keys.individual },
      )
    ).body
    expect((await send(id, undefined, { session: api.sessions.editor })).code).toBe('forbidden')
    expect(calls).toEqual([])
  })
})

describe('a test message that is not accepted', () => {
  const outcomes: [Outcome, number, string][] = [
    [{ kind: 'refused', code: 'no_such_mailbox' }, 502, 'provider'],
    [{ kind: 'misconfigured', code: 'smtp_401' }, 502, 'provider'],
    [{ kind: 'quota' }, 502, 'provider'],
    [{ kind: 'throttled' }, 503, 'retryable'],
    [{ kind: 'unavailable', code: 'timeout', certain: false }, 503, 'retryable'],
    [{ kind: 'deferred', code: 'greylisted' }, 503, 'retryable'],
  ]
  it.each(outcomes)('%j: the caller learns whether to retry', async (result, status, code) => {
    outcome = result
    const answer = await send(await draft())
    expect([answer.status, answer.code]).toEqual([status, code])
    expect(answer.headers['retry-after'] !== undefined).toBe(code === 'retryable')
  })

  it('a channel that is not configured is reported', async () => {
    delete senders.email
    expect((await send(await draft())).code).toBe('not_configured')
  })

  it('a provider that hangs holds four callers, and sends the fifth away at once', async () => {
    const { promise, resolve } = Promise.withResolvers<Outcome>()
    senders.email = byMails(async ({ to: [to], content }) => {
      calls.push({ to: to!.address, content })
      return [await promise]
    })
    const id = await draft()
    const four = Array.from({ length: 4 }, () => send(id))
    await eventually(() => expect(calls).toHaveLength(4))
    expect((await send(id)).code).toBe('retryable')
    resolve({ kind: 'accepted' })
    expect((await Promise.all(four)).map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect((await send(id)).status).toBe(200)
  })
})
