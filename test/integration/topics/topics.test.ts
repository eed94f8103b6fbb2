import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { bounds, limits } from '../../../src/contract/limits.ts'
import { startApi } from '../../fixtures/api.ts'
import { newMessage } from '../../fixtures/new-message.ts'
import { auditRows, updateRows } from '../../fixtures/rows.ts'
import { seedUnit } from '../../fixtures/seed.ts'
import { forFile } from '../../harness/for-file.ts'

const api = forFile(startApi)

const name = { 'zh-TW': '社團', en: 'Clubs' }
const asEditor = () => ({ session: api.sessions.editor })
const asApproverElsewhere = () => ({ session: api.sessions.otherApprover })
let count = 0
function newName() {
  count += 1
  return { 'zh-TW': `社團 ${count}`, en: `Clubs ${count}` }
}
const create = (name: object) => api.call('createTopic', { ...asEditor(), body: { name } })
const make = async () => (await create(newName())).body
const change = (id: string, body: object) => api.call('editTopic', { ...asEditor(), id, body })

describe('a topic', () => {
  it('is created by keys and editors of the unit, active by default', async () => {
    expect((await create(name)).body).toMatchObject({ name, status: 'active', unitId: api.units.a })
    const body = { name, status: 'inactive' }
    expect((await api.call('createTopic', { key: api.keys.b, body })).body).toMatchObject({
      ...{ status: 'inactive', unitId: api.units.b },
    })
    expect((await api.call('createTopic', { ...asApproverElsewhere(), body })).code).toBe('forbidden')
  })

  it('is renamed, disabled and enabled, and omitted fields stay', async () => {
    const topic = await make()
    const renamed = (await change(topic.id, { name: { 'zh-TW': '新社團' } })).body
    expect(renamed).toEqual({ ...topic, name: { 'zh-TW': '新社團' } })
    expect((await change(topic.id, { status: 'inactive' })).body).toEqual({ ...renamed, status: 'inactive' })
    expect((await change(topic.id, {})).code).toBe('validation_error')
    expect((await change(topic.id, { status: 'gone' })).code).toBe('validation_error')
  })

  it('has a short name, and stays readable with a longer one of before', async () => {
    const named = (zh: string) => create({ 'zh-TW': zh, en: zh })
    expect((await named('x'.repeat(limits.topicNameLength))).status).toBe(201)
    const { code, body } = await named('x'.repeat(limits.topicNameLength + 1))
    expect(code).toBe('validation_error')
    expect(body.error.message).toContain(`at most ${limits.topicNameLength} characters`)
    const { id } = await make()
    const long = { 'zh-TW': 'x'.repeat(20_000) }
    const { db } = api.database
    await updateRows(db, 'topic', { id }, { name: JSON.stringify(long) })
    expect((await change(id, { status: 'inactive' })).body.name).toEqual(long)
  })

  it.each([
    ['blank', ' \u3000 ', 'must not be empty'],
    ['invisible', '\u200b', 'must not contain the invisible character U+200B'],
    ['reversed', '社團\u202e', 'must not contain the invisible character U+202E'],
  ])('has no %s name, which recipients would read among others', async (_, zh, message) => {
    const { id, name } = await make()
    const body = { name: { 'zh-TW': zh } }
    for (const answer of [await api.call('createTopic', { ...asEditor(), body }), await change(id, body)])
      expect(answer.body.error.details.issues).toMatchObject([{ path: 'name.zh-TW', message }])
    expect((await api.call('getTopic', { ...asEditor(), id })).body.name).toEqual(name)
  })

  it('is one of at most as many as documented, also when several are created at once', async () => {
    const unitId = await seedUnit(api.database.db, 'Clubs')
    const key = await api.newKey(unitId)
    const values = Array.from({ length: bounds.topics.most - 1 }, (_, n) => ({
      unit_id: unitId,
      name: JSON.stringify({ 'zh-TW': `主題 ${n}` }),
    }))
    await api.database.db.insertInto('topic').values(values).execute()
    const body = () => ({ name: newName() })
    const answers = await Promise.all([1, 2, 3].map(() => api.call('createTopic', { key, body: body() })))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400])
  })

  it('has names that no other topic of its unit has, also when two are created or renamed at once', async () => {
    const chess = { 'zh-TW': '西洋棋', en: 'Chess' }
    const { id } = (await create(chess)).body
    const refused = await create({ 'zh-TW': '棋藝', en: ' chess ' })
    expect(refused.code).toBe('validation_error')
    expect(refused.body.error.details.issues).toMatchObject([
      { path: 'name.en', message: expect.stringContaining(id) },
    ])
    const other = await make()
    expect((await change(other.id, { name: chess })).body.error.details.issues).toMatchObject([
      { path: 'name.zh-TW' },
    ])
    expect((await change(id, { name: { ...chess, en: 'CHESS' } })).status).toBe(200)
    expect((await api.call('createTopic', { key: api.keys.b, body: { name: chess } })).status).toBe(201)

    const bridge = { 'zh-TW': '橋牌' }
    const atOnce = await Promise.all([create(bridge), create(bridge), change(other.id, { name: bridge })])
    expect(atOnce.filter(({ code }) => code === 'validation_error').length).toBe(2)
  })

  it('with the same name as another, from before, goes on working', async () => {
    const [one, other] = [await make(), await make()]
    await updateRows(api.database.db, 'topic', { id: other.id }, { name: JSON.stringify(one.name) })
    const changed = await change(other.id, { name: one.name, status: 'inactive' })
    expect(changed.body).toMatchObject({ name: one.name, status: 'inactive' })
    expect((await change(other.id, { name: newName() })).status).toBe(200)
  })

  it('accepts no new message while it is inactive', async () => {
    const { id: topicId } = await make()
    const create = () =>
      api.call('createMessage', {
        key: api.keys.a,
        headers: { 'idempotency-key': randomUUID() },
        body: { ...newMessage, topicId },
      })
    const before = (await create()).body
    await change(topicId, { status: 'inactive' })
    const refused = await create()
    expect(refused.code).toBe('topic_inactive')
    expect(refused.body.error.details.issues).toMatchObject([
      { path: 'topicId', message: 'must be an active topic' },
    ])
    expect((await api.call('submitMessage', { key: api.keys.a, id: before.id })).code).toBe('topic_inactive')
    await change(topicId, { status: 'active' })
    expect((await create()).status).toBe(201)
  })

  it('cannot be that of a message of a mandatory category, which would ignore who unsubscribed from it', async () => {
    const asKey = { key: api.keys.a, headers: { 'idempotency-key': randomUUID() } }
    const topicId = api.topics.active
    const refused = await api.call('createMessage', {
      ...asKey,
      body: { ...newMessage, categoryId: 'safety', topicId },
    })
    expect(refused.code).toBe('validation_error')
    expect(refused.body.error.details.issues).toMatchObject([{ path: 'topicId' }])

    const { id } = (await api.call('createMessage', { ...asKey, body: { ...newMessage, topicId } })).body
    const edit = (body: object) => api.call('editMessage', { key: api.keys.a, id, body })
    expect((await edit({ categoryId: 'safety' })).code).toBe('validation_error')
    expect((await edit({ categoryId: 'safety', topicId: null })).status).toBe(200)
    expect((await edit({ topicId })).code).toBe('validation_error')
  })

  it('is listed by its unit, by status, page by page', async () => {
    const list = async (query: Record<string, string> = {}) =>
      (await api.call('listTopics', { ...asEditor(), query })).body
    const { items } = await list()
    expect(items.length).toBeGreaterThan(3)
    const first = await list({ limit: '2' })
    const second = await list({ limit: '2', cursor: first.nextCursor })
    expect([...first.items, ...second.items]).toEqual(items.slice(0, 4))
    const inactive = (await list({ status: 'inactive' })).items
    expect(inactive).toContainEqual(expect.objectContaining({ id: api.topics.inactive }))
    expect(inactive).toEqual(items.filter(({ status }: { status: string }) => status === 'inactive'))
  })

  it('is audited', async () => {
    const { id } = await make()
    await change(id, { status: 'inactive' })
    const trail = await auditRows(api.database.db, id, 'action', 'unit_id', 'details')
    const unit_id = api.units.a
    expect(trail).toEqual([
      { action: 'create', unit_id, details: null },
      { action: 'edit', unit_id, details: { status: 'inactive' } },
    ])
  })
})
