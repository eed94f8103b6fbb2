import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { startApi } from '../../fixtures/api.ts'
import { createMessage, newMessage } from '../../fixtures/new-message.ts'
import { forFile } from '../../harness/for-file.ts'

const api = forFile(startApi)

const text = (zh: string, en?: string) => ({ kind: 'text', text: { 'zh-TW': zh, ...(en && { en }) } })

/** One message that cannot be shown would break its unit's whole list. */
describe('an accepted message can be read, and so can the list that contains it', () => {
  it.each([
    ['white space for a text', { messages: [text('  \n')] }],
    ['white space in one language', { messages: [text('開放日', ' ')] }],
    [
      'a card with white space for a title',
      { messages: [{ kind: 'card', title: text(' ').text, actions: [] }] },
    ],
    ['the last moment there is', { expiresAt: '9999-12-31T23:59:59Z' }],
    ['the first one', { scheduleAt: '0001-01-01T00:00:00.123456789Z' }],
    ['nothing but a sticker', { messages: [{ kind: 'sticker', packageId: '1', stickerId: '2' }] }],
  ])('with %s', async (_, parts) => {
    const key = api.keys.a
    const answer = await createMessage(api, parts, { key })
    expect(answer.status).toBe(201)
    expect((await api.call('getMessage', { key, id: answer.body.id })).status).toBe(200)
    const { items } = (await api.call('listMessages', { key, query: { limit: '1' } })).body
    expect(items[0].id).toBe(answer.body.id)
  })
})

describe('an instant that cannot be shown, or stored, is rejected', () => {
  it.each([
    ['beyond the year 9999', '9999-12-31T23:59:59-14:00'],
    ['before the year 1', '0001-01-01T00:00:00+14:00'],
    ['in a year that there was not', '0000-12-31T23:59:59-14:00'],
    ['of endless decimals', `2026-12-01T00:00:00.${'1'.repeat(200)}Z`],
  ])('%s', async (_, scheduleAt) => {
    const answer = await createMessage(api, { scheduleAt })
    expect(answer.code).toBe('validation_error')
    expect(answer.body.error.details.issues).toMatchObject([
      { path: 'scheduleAt', message: expect.any(String) },
    ])
  })
})

describe('what a form sends for nothing', () => {
  const create = async (parts: object) => {
    return createMessage(api, parts)
  }
  const read = async (id: string) => (await api.call('getMessage', { key: api.keys.a, id })).body

  it('is an empty list of an audience, in the query and in exclude', async () => {
    const audience = { kind: 'query', roles: ['student'], tags: [], exclude: { tags: ['x:1'], stages: [] } }
    const { body } = await create({ audience })
    expect((await read(body.id)).audience).toEqual({
      kind: 'query',
      roles: ['student'],
      exclude: { tags: ['x:1'] },
    })
  })

  it('is an empty English text', async () => {
    const { body } = await create({ messages: [{ kind: 'text', text: { 'zh-TW': '開放日', en: '' } }] })
    expect((await read(body.id)).content.messages).toEqual([text('開放日')])
  })

  it('selects nobody by itself', async () => {
    for (const audience of [
      { kind: 'query', roles: [] },
      { kind: 'query', exclude: { tags: ['x:1'] }, tags: [] },
      { kind: 'query', roles: ['student'], exclude: { tags: [] } },
      { kind: 'individual', uids: [] },
    ])
      expect((await create({ audience })).code).toBe('validation_error')
  })

  it('is not a dimension that a restricted key may not use', async () => {
    const headers = { 'idempotency-key': randomUUID() }
    const audience = { kind: 'query', roles: ['student'], tags: [] }
    const body = { ...newMessage, audience }
    expect((await api.call('createMessage', { key: api.keys.restricted, headers, body })).status).toBe(201)
  })
})

describe('a message', () => {
  it('takes times without seconds and in small letters', async () => {
    const { id } = (
      await createMessage(api, { scheduleAt: '2999-12-01t09:00+14:00', expiresAt: '2999-12-01T09:00:00.5z' })
    ).body
    expect((await api.call('getMessage', { key: api.keys.a, id })).body).toMatchObject({
      scheduleAt: '2999-11-30T19:00:00.000Z',
      expiresAt: '2999-12-01T09:00:00.500Z',
    })
  })

  it('is named, and names others, by ids in either case', async () => {
    const { editor } = api.sessions
    const named = { unitId: api.units.a.toUpperCase(), topicId: api.topics.active.toUpperCase() }
    const { id } = (await createMessage(api, named, { session: editor })).body
    const detail = (await api.call('getMessage', { session: editor, id: id.toUpperCase() })).body
    expect(detail).toMatchObject({ id, unitId: api.units.a, topicId: api.topics.active })
    const query = { unitId: named.unitId, topicId: named.topicId }
    expect((await api.call('listMessages', { session: editor, query })).body.items).toHaveLength(1)
    const trail = await api.call('listAudit', { session: editor, query: { objectId: id.toUpperCase() } })
    expect(trail.body.items).toHaveLength(1)
    expect((await create('NEWS')).code).toBe('not_found')
  })

  const create = (categoryId: string) => {
    return createMessage(api, { categoryId })
  }
})
