import { afterAll, expect, it } from 'vitest'
import { bounds } from '../../../src/contract/limits.ts'
import { openOutbound } from '../../../src/services/outbound/outbound.ts'
import { startApi } from '../../fixtures/api.ts'
import { openReceiver } from '../../fixtures/callback-receiver.ts'
import { forFile } from '../../harness/for-file.ts'

const outbound = openOutbound({ allow: [{ host: '127.0.0.1', port: '*' }] })
const api = forFile(() => startApi({ services: { outbound } }))
afterAll(async () => {
  await outbound.close()
})

const url = 'https://hooks.example.edu/carillon'
const create = (body: object, as: { key?: string; session?: string } = { key: api.keys.b }) =>
  api.call('createCallback', { ...as, body })

it('a callback is registered, read, changed, rotated and deleted; its secret is shown once', async () => {
  const session = api.sessions.editor
  const answer = await create({ url, description: 'SIS' }, { session })
  expect(answer).toMatchObject({ status: 201, body: { url, description: 'SIS', state: 'active' } })
  const { id, secret } = answer.body
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  const detail = await api.call('getCallback', { session, id })
  expect(JSON.stringify(detail.body)).not.toContain(secret)
  expect((await api.call('listCallbacks', { session })).body.items).toEqual([detail.body])

  const body = { enabled: false, types: ['message.closed'] }
  const off = await api.call('editCallback', { session, id, body })
  expect(off.body).toMatchObject({
    state: 'disabled',
    disabledReason: 'by_caller',
    types: ['message.closed'],
  })
  const rotated = await api.call('rotateCallback', { session, id })
  expect(rotated.body.secret).not.toBe(secret)
  expect((await api.call('getCallback', { session, id })).body.oldSecretExpiresAt).toBe(
    rotated.body.oldSecretExpiresAt,
  )
  expect((await api.call('deleteCallback', { session, id })).body).toEqual({ deleted: true })
  expect((await api.call('getCallback', { session, id })).code).toBe('not_found')
  const trail = await api.database.db.selectFrom('audit').selectAll().where('object_id', '=', id).execute()
  expect(trail.map(({ action }) => action)).toEqual(['create', 'edit', 'rotate', 'delete'])
  expect(new Set(trail.map(({ unit_id }) => unit_id))).toEqual(new Set([api.units.a]))
  expect(JSON.stringify(trail)).not.toContain('whsec_')
})

it.each([
  'http://hooks.example.edu/',
  'https://10.0.0.1/',
  'https://[::ffff:127.0.0.1]/',
  'https://2130706434/',
  'https://me:secret@hooks.example.edu/',
  'ftp://hooks.example.edu/',
  'hooks',
])('%s is rejected, and the issue names url', async (url) => {
  const refused = await create({ url })
  expect(refused.code).toBe('validation_error')
  expect(refused.body.error.details.issues).toMatchObject([{ path: 'url' }])
})

it('an empty change, or an unknown type, is rejected', async () => {
  const { id } = (await create({ url })).body
  for (const body of [{}, { types: [] }, { types: ['message.read'] }, { state: 'active' }])
    expect((await api.call('editCallback', { key: api.keys.b, id, body })).code).toBe('validation_error')
})

it('a unit has at most ten', async () => {
  const key = await api.newKey(api.units.a)
  const answers = await Promise.all(
    Array.from({ length: bounds.callbacks.most + 2 }, () => create({ url }, { key })),
  )
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(bounds.callbacks.most)
  expect(answers.filter(({ code }) => code === 'validation_error')).toHaveLength(2)
})

it('a test is sent at once, and returns its result', async () => {
  const { url, answer, received } = await openReceiver()
  const { id } = (await create({ url })).body
  const test = () => api.call('testCallback', { key: api.keys.b, id })
  expect((await test()).body).toMatchObject({ delivered: true, httpStatus: 204, reason: null })
  expect(JSON.parse(received[0]!.body)).toMatchObject({ type: 'callback.test', data: { callbackId: id } })
  answer({ status: 301, headers: { location: 'http://localhost/' } })
  expect((await test()).body).toMatchObject({ delivered: false, httpStatus: 301, reason: 'redirect' })
  const { id: nowhere } = (await create({ url: 'http://127.0.0.1:1/' })).body
  expect((await api.call('testCallback', { key: api.keys.b, id: nowhere })).body).toMatchObject({
    delivered: false,
    httpStatus: null,
    reason: 'no_connection',
  })
})

it('the deliveries of a callback are listed, newest first and in pages', async () => {
  const { id } = (await create({ url })).body
  const headers = { 'idempotency-key': 'callback' }
  const body = {
    categoryId: 'manual',
    messages: [{ kind: 'text', text: { 'zh-TW': '你好' } }],
    audience: { kind: 'query', roles: ['student'] },
  }
  const message = await api.call('createMessage', { key: api.keys.b, headers, body })
  await api.call('cancelMessage', { key: api.keys.b, id: message.body.id })
  const list = (query: Record<string, string>) =>
    api.call('listCallbackDeliveries', { key: api.keys.b, id, query })
  const first = await list({ limit: '1' })
  expect(first.body.items).toMatchObject([{ type: 'message.closed', state: 'pending', tries: 0 }])
  const second = await list({ limit: '1', cursor: first.body.nextCursor })
  expect(second.body).toMatchObject({ items: [{ type: 'message.state_changed' }], nextCursor: null })
})

it('without SECRETS_KEY there are none', async () => {
  const bare = await startApi({ services: { secrets: undefined } })
  const { code } = await bare.call('createCallback', { key: bare.keys.a, body: { url } })
  expect(code).toBe('not_configured')
  await bare.close()
})
