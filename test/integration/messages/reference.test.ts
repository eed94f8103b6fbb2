import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { clearErasedData } from '../../../src/db/queries/erasure/record.ts'
import { startApi } from '../../fixtures/api.ts'
import { newMessage } from '../../fixtures/new-message.ts'
import { forFile } from '../../harness/for-file.ts'

const api = forFile(startApi)

async function create(parts: object, key = api.keys.a) {
  const headers = { 'idempotency-key': randomUUID() }
  return api.call('createMessage', { key, headers, body: { ...newMessage, categoryId: 'manual', ...parts } })
}
const detail = async (id: string) => (await api.call('getMessage', { key: api.keys.a, id })).body
const edit = (id: string, body: object) => api.call('editMessage', { key: api.keys.a, id, body })

describe('the own reference of a message', () => {
  it('is shown, and finds the messages that have it', async () => {
    const reference = randomUUID()
    const ids = [(await create({ reference })).body.id, (await create({ reference })).body.id]
    await create({ reference: `${reference}x` })
    const { items } = (await api.call('listMessages', { key: api.keys.a, query: { reference } })).body
    expect(items.map(({ id }: { id: string }) => id)).toEqual(ids.reverse())
    expect(items[0]).toMatchObject({ reference })
    expect(await detail(ids[0])).toMatchObject({ reference })
    const others = await api.call('listMessages', { key: api.keys.b, query: { reference } })
    expect(others.body.items).toEqual([])
  })

  it('has 1 to 255 characters', async () => {
    expect((await create({ reference: 'r'.repeat(255) })).status).toBe(201)
    for (const reference of ['r'.repeat(256), ' ', ''])
      expect((await create({ reference })).code).toBe('validation_error')
  })

  it('can be edited and removed, and is part of what an Idempotency-Key stands for', async () => {
    const { id } = (await create({ reference: 'one' })).body
    await edit(id, { reference: 'two' })
    expect(await detail(id)).toMatchObject({ reference: 'two', version: 2 })
    await edit(id, { reference: null })
    expect(await detail(id)).toMatchObject({ reference: null, version: 3 })
    const headers = { 'idempotency-key': randomUUID() }
    const asKey = { key: api.keys.a, headers }
    await api.call('createMessage', { ...asKey, body: { ...newMessage, reference: 'one' } })
    const other = await api.call('createMessage', { ...asKey, body: { ...newMessage, reference: 'two' } })
    expect(other.code).toBe('idempotency_mismatch')
  })

  it('is found by an index', async () => {
    const { rows } = await api.database.db.transaction().execute(async (trx) => {
      await sql`set local enable_seqscan = off`.execute(trx)
      return sql`explain select id from message where unit_id = ${api.units.a} and reference = 'x'
        order by id desc limit 51`.execute(trx)
    })
    expect(JSON.stringify(rows)).toContain('message_reference')
  })

  it('of a message to one person is exported, and erased with them', async () => {
    const audience = { kind: 'individual', uids: ['s1'] }
    const { id } = (await create({ audience, reference: 'case of s1' }, api.keys.individual)).body
    const exported = await api.call('exportSubject', { key: api.keys.administrative, id: 's1' })
    expect(exported.body.records.message).toMatchObject([{ id, reference: 'case of s1' }])
    const { subjectId } = exported.body.subject
    await api.call('eraseSubject', { key: api.keys.administrative, id: 's1' })
    await api.database.db
      .transaction()
      .execute((trx) => clearErasedData(trx, { subjectId, messageIds: [id] }))
    expect(await detail(id)).toMatchObject({ reference: null, content: null })
  })
})

describe('the subject beside messages', () => {
  const subject = { 'zh-TW': '開放日邀請', en: 'Invitation' }

  it('is the title of the message, and shown with the content', async () => {
    const { id } = (await create({ subject })).body
    expect(await detail(id)).toMatchObject({ title: subject, content: { subject } })
    await api.call('submitMessage', { key: api.keys.a, id })
    expect(await detail(id)).toMatchObject({ title: subject, content: { subject } })
  })

  it('is replaced and removed by edits, and by a template', async () => {
    const { id } = (await create({ subject })).body
    const messages = [{ kind: 'text', text: { 'zh-TW': '新的文字' } }]
    await edit(id, { messages })
    expect(await detail(id)).toMatchObject({ title: subject })
    await edit(id, { subject: { 'zh-TW': '改期' } })
    expect(await detail(id)).toMatchObject({ title: { 'zh-TW': '改期' } })
    await edit(id, { subject: null })
    expect(await detail(id)).toMatchObject({ title: { 'zh-TW': '新的文字' }, content: { subject: null } })
    await edit(id, { subject })
    await edit(id, { templateId: api.templates.approved, variables: { day: 'Saturday' } })
    expect((await detail(id)).content.subject).toBeNull()
  })

  it('does not go with a template, which has its own', async () => {
    const template = { templateId: api.templates.approved, variables: { day: 'x' }, messages: undefined }
    const refused = await create({ ...template, subject })
    expect(refused.body.error.details.issues).toMatchObject([{ path: 'subject' }])
    const { id } = (await create(template)).body
    expect((await edit(id, { subject })).body.error.details.issues).toMatchObject([{ path: 'subject' }])
  })

  it('is checked like any text', async () => {
    const { id } = (await create({ subject: { 'zh-TW': 'a\u202Eb' } })).body
    const { violations } = (await api.call('dryRunMessage', { key: api.keys.a, id })).body
    expect(violations).toMatchObject([{ path: 'subject.zh-TW', code: 'invisible_character' }])
  })
})

it('a dry-run says what one person costs', async () => {
  const text = { kind: 'text', text: { 'zh-TW': '字' } }
  const { id } = (await create({ messages: Array(6).fill(text) })).body
  const { recipients, quota } = (await api.call('dryRunMessage', { key: api.keys.a, id })).body
  expect(quota.chat).toMatchObject({ pushesPerPerson: 2, estimatedPushes: 2 * recipients.total })
})
