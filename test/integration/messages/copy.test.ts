import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { startApi } from '../../fixtures/api.ts'
import { newMessage } from '../../fixtures/new-message.ts'
import { forFile } from '../../harness/for-file.ts'

const api = forFile(startApi)

const asKey = (key = api.keys.a) => ({ key, headers: { 'idempotency-key': randomUUID() } })
const asPerson = (session = api.sessions.editor) => ({
  session,
  headers: { 'idempotency-key': randomUUID() },
})

async function draft(parts: object = {}, as: object = asKey()): Promise<string> {
  const body = { ...newMessage, categoryId: 'manual', ...parts }
  const { body: created } = await api.call('createMessage', { ...as, body })
  expect(created.id).toBeDefined()
  return created.id
}
const copy = (id: string, as: object = asPerson()) => api.call('copyMessage', { ...as, id })
const detail = async (id: string, as: object = asKey()) => (await api.call('getMessage', { ...as, id })).body

describe('a copy of a message', () => {
  it('is a draft of the caller with the same content, audience and plan', async () => {
    const subject = { 'zh-TW': '標題' }
    const parts = { subject, topicId: api.topics.active, audience: { kind: 'query', roles: ['student'] } }
    const id = await draft({ ...parts, reference: 'case-17', channelPlanOverride: { channels: ['chat'] } })
    await api.call('submitMessage', { key: api.keys.a, id })
    const session = api.sessions.approver
    await api.call('rejectMessage', { session, id, body: { reason: 'The date is wrong.' } })
    const answer = await copy(id)
    expect(answer).toMatchObject({ status: 201, body: { state: 'draft', created: true } })
    const [before, after] = [await detail(id), await detail(answer.body.id, asPerson())]
    for (const field of [
      'title',
      'content',
      'audience',
      'topicId',
      'categoryId',
      'channelPlanOverride',
      'kind',
    ])
      expect(after[field], field).toEqual(before[field])
    expect(after).toMatchObject({
      author: { name: 'Editor' },
      origin: 'console',
      reference: null,
      version: 1,
    })
    expect(after.allowed).toMatchObject({ edit: { allowed: true }, submit: { allowed: true } })
  })

  it('has the times that are still ahead', async () => {
    const [soon, later] = ['2037-01-01T00:00:00.000Z', '2037-01-02T00:00:00.000Z']
    const id = await draft({ scheduleAt: soon, remindAt: later, expiresAt: '2037-01-03T00:00:00.000Z' })
    const { db } = api.database
    const all = await detail((await copy(id)).body.id)
    expect(all).toMatchObject({ scheduleAt: soon, remindAt: later, expiresAt: '2037-01-03T00:00:00.000Z' })
    await sql`update message set schedule_at = now() where id = ${id}`.execute(db)
    expect(await detail((await copy(id)).body.id)).toMatchObject({ scheduleAt: null, remindAt: later })
    await sql`update message set remind_at = now(), expires_at = now() where id = ${id}`.execute(db)
    const none = { scheduleAt: null, remindAt: null, expiresAt: null }
    expect(await detail((await copy(id)).body.id)).toMatchObject(none)
  })

  it('of a template uses the version in force, with the same variables', async () => {
    const variables = { day: 'Saturday' }
    const id = await draft({ messages: undefined, templateId: api.templates.approved, variables })
    const copied = await detail((await copy(id)).body.id)
    expect(copied).toMatchObject({ template: { id: api.templates.approved }, content: { variables } })
  })

  it('is made once for each key, and a key stands for one message', async () => {
    const [id, other] = [await draft(), await draft()]
    const as = asPerson()
    const first = await copy(id, as)
    const again = await Promise.all(Array.from({ length: 4 }, () => copy(id, as)))
    for (const { status, body } of again)
      expect({ status, body }).toEqual({ status: 200, body: { ...first.body, created: false } })
    expect((await copy(other, as)).code).toBe('idempotency_mismatch')
    const { session } = as
    expect((await api.call('copyMessage', { session, id })).code).toBe('idempotency_key_required')
  })

  it('is audited with the message it was made from', async () => {
    const id = await draft()
    const copied = (await copy(id)).body.id
    const query = { objectKind: 'message', objectId: copied }
    const { items } = (await api.call('listAudit', { session: api.sessions.approver, query })).body
    expect(items).toMatchObject([{ action: 'create', by: { name: 'Editor' }, details: { copyOf: id } }])
  })

  it('needs the rights that creating it would need', async () => {
    const id = await draft()
    expect((await copy(id, asKey(api.keys.b))).code).toBe('not_found')
    expect((await copy(id, asKey(api.keys.restricted))).code).toBe('category_not_allowed')
    const staged = await draft({ categoryId: 'news', audience: { kind: 'query', stages: ['member'] } })
    expect((await copy(staged, asKey(api.keys.restricted))).code).toBe('audience_dimension_not_allowed')
  })

  it('of a personal message is for its authors, and not for the console, which names no individuals', async () => {
    const audience = { kind: 'individual', uids: ['s1', 's2'] }
    const id = await draft({ audience }, asKey(api.keys.individual))
    const copied = await copy(id, asKey(api.keys.individual))
    expect(await detail(copied.body.id, { key: api.keys.individual })).toMatchObject({
      kind: 'personal',
      audience,
    })
    const other = await api.newKey(api.units.a, { individualTargeting: true })
    expect((await copy(id, asKey(other))).code).toBe('forbidden')
    expect((await copy(id)).code).toBe('forbidden')
  })

  it('leaves out people who were erased', async () => {
    const audience = { kind: 'individual', uids: ['s1', 's3'] }
    const id = await draft({ audience }, asKey(api.keys.individual))
    await api.call('eraseSubject', { key: api.keys.administrative, id: 's3' })
    const copied = await copy(id, asKey(api.keys.individual))
    const { audience: left } = await detail(copied.body.id, { key: api.keys.individual })
    expect(left.uids).toEqual(['s1'])
  })

  it('cannot be made once the text is past retention', async () => {
    const id = await draft()
    await sql`update message set purged_at = now() where id = ${id}`.execute(api.database.db)
    expect((await copy(id)).code).toBe('not_found')
  })
})
