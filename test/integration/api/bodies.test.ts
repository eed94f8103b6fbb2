import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Endpoint } from '../../../src/contract/endpoint.ts'
import { endpoints, type OperationId } from '../../../src/contract/endpoints.ts'
import { limits } from '../../../src/contract/limits.ts'
import { startApi } from '../../fixtures/api.ts'
import { newMessage } from '../../fixtures/new-message.ts'
import { forFile } from '../../harness/for-file.ts'

const api = forFile(startApi)

const bodyless = Object.entries<Endpoint>(endpoints)
  .filter(([, { method, body, bodyOptional, upload }]) => {
    return method !== 'GET' && (!body || bodyOptional) && !upload
  })
  .map(([id]) => id as OperationId)

function create(raw: string, headers: Record<string, string> = {}) {
  return api.call('createMessage', {
    key: api.keys.a,
    headers: { 'idempotency-key': randomUUID(), ...headers },
    raw,
  })
}

/** Those that create something require it; the others ignore it. */
const keyed = { 'idempotency-key': randomUUID() }

describe.each(bodyless)('%s, which takes no body', (id) => {
  it.each(['application/json', 'application/x-www-form-urlencoded', 'text/plain'])(
    'accepts an empty one of type %s',
    async (contentType) => {
      const { auth }: Endpoint = endpoints[id]
      const who = auth.includes('session')
        ? { session: await api.newSession('approver') }
        : { key: api.keys.administrative, ...(id === 'revokeConsent' && { query: { scope: 'admission' } }) }
      const headers = { 'content-type': contentType, ...keyed }
      const answer = await api.call(id, { ...who, headers, raw: '' })
      expect([null, 'not_found', 'forbidden']).toContain(answer.code)
    },
  )

  it('accepts {} as well', async () => {
    const { auth, method }: Endpoint = endpoints[id]
    const who = auth.includes('session')
      ? { session: await api.newSession('approver') }
      : { key: api.keys.administrative, ...(id === 'revokeConsent' && { query: { scope: 'admission' } }) }
    const [none, empty] = [
      await api.call(id, who),
      await api.call(id, {
        ...who,
        ...(id === 'signOut' && { session: await api.newSession('approver') }),
        body: {},
      }),
    ]
    expect([method, empty.code, empty.status]).toEqual([method, none.code, none.status])
  })
})

describe.each(bodyless.filter((id) => !('body' in endpoints[id])))('%s', (id) => {
  it('rejects a body with fields, which it would not read', async () => {
    const { auth }: Endpoint = endpoints[id]
    const who = auth.includes('session')
      ? { session: await api.newSession('approver') }
      : auth.includes('recipient')
        ? { headers: { 'x-mock-channel-user': 'Us1' } }
        : { key: api.keys.administrative }
    const { code, body } = await api.call(id, { headers: keyed, ...who, body: { reason: 'x' } })
    expect(['validation_error', 'forbidden']).toContain(code)
    if (code === 'validation_error') expect(body.error.message).toContain('reason')
  })
})

it('null is no body where none is needed', async () => {
  const answer = await api.call('cancelMessage', { key: api.keys.a, raw: 'null' })
  expect(answer.code).toBe('validation_error')
  expect(answer.body.error.details.issues).toMatchObject([
    { path: '', message: 'must be an object, not null' },
  ])
})

describe('a body', () => {
  it.each(['', 'null', '[]', '"text"', '{"a":', '{"__proto__": {"x": 1}}', '\u0000', '{"a": 1} {"b": 2}'])(
    'that is %j is rejected',
    async (raw) => {
      expect((await create(raw)).code).toBe('validation_error')
    },
  )

  it.each([
    ['{"a": 1,\n "b" 2}', '', 'must be valid JSON; the fault is at line 2, column 6'],
    ['{"a": [', '', 'must be valid JSON; it ends too early, at line 1, column 8'],
    ['{"audience": {"x": [{"__proto__": {}}]}}', 'audience.x.0', 'must not have the key __proto__'],
    ['{"constructor": {"prototype": {}}}', '', 'must not have the key constructor'],
    ['null', '', 'must be an object, not null'],
    ['[]', '', 'must be an object, not an array'],
  ])('that is %j is rejected with the place and the reason', async (raw, path, message) => {
    const { body } = await create(raw)
    expect(body.error.details.issues[0]).toMatchObject({ path, message })
  })

  it('of another type than JSON is rejected', async () => {
    const answer = await create('categoryId=news', { 'content-type': 'application/x-www-form-urlencoded' })
    expect(answer.code).toBe('validation_error')
    expect(answer.body.error.details.issues).toMatchObject([
      { path: '', message: 'must be application/json, not application/x-www-form-urlencoded' },
    ])
  })

  it.each([
    ['a NUL character', '\\u0000'],
    ['half a surrogate pair', '\\ud800'],
  ])('with %s in a text, a key or a variable is rejected', async (_, odd) => {
    for (const raw of [
      JSON.stringify({ ...newMessage, categoryId: 'X' }),
      JSON.stringify({ ...newMessage, messages: [{ kind: 'text', text: { 'zh-TW': 'X' } }] }),
      JSON.stringify({ ...newMessage, variables: { deep: [{ key: 'X' }] } }),
      JSON.stringify({ ...newMessage, variables: { X: 1 } }),
    ])
      expect((await create(raw.replaceAll('X', odd))).code).toBe('validation_error')
  })

  it('with every other character is stored as it is', async () => {
    const text = '👩‍👩‍👧 ‮evil‬ \u0001\u001f\uffff\u{10ffff} "\\ é é'
    const body = JSON.stringify({ ...newMessage, messages: [{ kind: 'text', text: { 'zh-TW': text } }] })
    const { id } = (await create(body)).body
    const { content } = (await api.call('getMessage', { key: api.keys.a, id })).body
    expect(content.messages[0].text['zh-TW']).toBe(text)
  })

  it('that is too large is answered with the limit', async () => {
    const { code, body } = await create('x'.repeat(limits.bodyBytes + 1))
    expect(code).toBe('payload_too_large')
    expect(body.error.message).toContain(String(limits.bodyBytes))
  })

  it.each(['{"length":{"toString":1}}', '{"length":{}}', '{"length":1e9}'])(
    'that has %s in place of a list is rejected',
    async (list) => {
      const raw = JSON.stringify({ ...newMessage, messages: 'list' }).replace('"list"', list)
      const { status, body } = await create(raw)
      expect([status, body.error?.code]).toEqual([400, 'validation_error'])
    },
  )

  it('that has too many values is answered with the limit, before each is looked at', async () => {
    const values = (count: number) => create(JSON.stringify({ variables: { list: Array(count).fill(1) } }))
    const { code, body } = await values(limits.jsonValues - 1)
    expect(code).toBe('payload_too_large')
    expect(body.error.message).toContain(String(limits.jsonValues))
    expect((await values(limits.jsonValues - 2)).code).toBe('validation_error')
  })

  it('of unlimited depth is rejected', async () => {
    const deep = (depth: number) =>
      `{"categoryId":"news","audience":{"kind":"all"},"templateId":"x","variables":{"x":${'['.repeat(depth)}${']'.repeat(depth)}}}`
    for (const depth of [40, limits.jsonValues - 10]) {
      const { body } = await create(deep(depth))
      expect(body.error.details.issues[0].message).toBe('must be nested at most 32 levels deep')
    }
  })
})

describe('a query', () => {
  it.each([
    { limit: '0' },
    { limit: '201' },
    { limit: 'many' },
    { limit: '1.5' },
    { state: 'gone' },
    { state: ['draft', 'gone'] },
    { order: 'random' },
    { createdAfter: 'yesterday' },
    { createdAfter: '2026-12-01T09:00:00' },
    { cursor: '' },
    { cursor: 'made up' },
    { cursor: '\u0000' },
    { topicId: '\u0000' },
  ])('of %o is rejected', async (query) => {
    const answer = await api.call('listMessages', {
      key: api.keys.a,
      query: query as unknown as Record<string, string>,
    })
    expect(answer.code).toBe('validation_error')
  })

  it('that names an unknown object is not found', async () => {
    for (const query of [
      { topicId: 'no-id' },
      { categoryId: 'nowhere' },
      { state: ['sent', 'failed'] },
    ] as const) {
      const answer = await api.call('listMessages', {
        key: api.keys.a,
        query: query as unknown as Record<string, string>,
      })
      expect(answer.body).toEqual({ items: [], nextCursor: null })
    }
  })
})

describe('a header', () => {
  it('If-Match accepts a version, plain or quoted', async () => {
    const { id } = (await create(JSON.stringify(newMessage))).body
    const edit = (ifMatch: string, categoryId = 'manual') =>
      api.call('editMessage', {
        key: api.keys.a,
        id,
        headers: { 'if-match': ifMatch },
        body: { categoryId },
      })
    expect((await edit('"1"')).status).toBe(200)
    expect((await edit('2', 'news')).status).toBe(200)
    expect((await edit('"2"')).code).toBe('invalid_transition')
    expect((await edit('yesterday')).code).toBe('validation_error')
  })

  it('Idempotency-Key has a maximum length', async () => {
    const answer = await create(JSON.stringify(newMessage), { 'idempotency-key': 'x'.repeat(256) })
    expect(answer.code).toBe('validation_error')
  })
})
