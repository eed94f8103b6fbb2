import { afterAll, beforeAll, expect, it } from 'vitest'
import { limits } from '../../../src/contract/limits.ts'
import { openOutbound } from '../../../src/services/outbound/outbound.ts'
import { openWorld, type World } from '../../fixtures/api.ts'
import { openReceiver } from '../../fixtures/callback-receiver.ts'

let world: World
const outbound = openOutbound({ allow: ['127.0.0.1'] })
beforeAll(async () => {
  world = await openWorld({ services: { outbound } })
})
afterAll(async () => {
  await world.close()
  await outbound.close()
})

const url = 'https://hooks.example.edu/carillon'
const create = (body: object, as: { key?: string; session?: string } = { key: world.keys.b }) =>
  world.call('createCallback', { ...as, body })

it('a callback is registered, seen, changed, rotated and removed; its secret is shown once', async () => {
  const session = world.sessions.editor
  const made = await create({ url, description: 'SIS' }, { session })
  expect(made).toMatchObject({ status: 201, body: { url, description: 'SIS', state: 'active' } })
  const { id, secret } = made.body
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  const seen = await world.call('getCallback', { session, id })
  expect(JSON.stringify(seen.body)).not.toContain(secret)
  expect((await world.call('listCallbacks', { session })).body.items).toEqual([seen.body])

  const body = { enabled: false, types: ['message.closed'] }
  const off = await world.call('editCallback', { session, id, body })
  expect(off.body).toMatchObject({ state: 'disabled', disabledReason: 'asked', types: ['message.closed'] })
  const rotated = await world.call('rotateCallback', { session, id })
  expect(rotated.body.secret).not.toBe(secret)
  expect((await world.call('getCallback', { session, id })).body.oldSecretUntil).toBe(
    rotated.body.oldSecretUntil,
  )
  expect((await world.call('deleteCallback', { session, id })).body).toEqual({ deleted: true })
  expect((await world.call('getCallback', { session, id })).code).toBe('not_found')
  const trail = await world.database.db.selectFrom('audit').selectAll().where('object_id', '=', id).execute()
  expect(trail.map(({ action }) => action)).toEqual(['create', 'edit', 'rotate', 'delete'])
  expect(new Set(trail.map(({ unit_id }) => unit_id))).toEqual(new Set([world.units.a]))
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
])('%s is refused, and the issue names url', async (url) => {
  const refused = await create({ url })
  expect(refused.code).toBe('validation_error')
  expect(refused.body.error.details.issues).toMatchObject([{ path: 'url' }])
})

it('nothing, and no type that there is not, is no change', async () => {
  const { id } = (await create({ url })).body
  for (const body of [{}, { types: [] }, { types: ['message.read'] }, { state: 'active' }])
    expect((await world.call('editCallback', { key: world.keys.b, id, body })).code).toBe('validation_error')
})

it('a unit has at most ten', async () => {
  const key = await world.newKey(world.units.a)
  const made = await Promise.all(
    Array.from({ length: limits.callbacksPerUnit + 2 }, () => create({ url }, { key })),
  )
  expect(made.filter(({ status }) => status === 201)).toHaveLength(limits.callbacksPerUnit)
  expect(made.filter(({ code }) => code === 'validation_error')).toHaveLength(2)
})

it('a test is sent at once, and says how it went', async () => {
  const { url, answer, received } = await openReceiver()
  const { id } = (await create({ url })).body
  const test = () => world.call('testCallback', { key: world.keys.b, id })
  expect((await test()).body).toMatchObject({ delivered: true, status: 204, code: null })
  expect(JSON.parse(received[0]!.body)).toMatchObject({ type: 'callback.test', data: { callbackId: id } })
  answer({ status: 301, headers: { location: 'http://localhost/' } })
  expect((await test()).body).toMatchObject({ delivered: false, status: 301, code: 'redirect' })
  const { id: nowhere } = (await create({ url: 'http://127.0.0.1:1/' })).body
  expect((await world.call('testCallback', { key: world.keys.b, id: nowhere })).body).toMatchObject({
    delivered: false,
    status: null,
    code: 'no_connection',
  })
})

it('what a callback was told is listed, newest first and in pages', async () => {
  const { id } = (await create({ url })).body
  const headers = { 'idempotency-key': 'told' }
  const body = {
    categoryId: 'manual',
    messages: [{ kind: 'text', text: { 'zh-TW': '你好' } }],
    audience: { kind: 'query', roles: ['student'] },
  }
  const message = await world.call('createMessage', { key: world.keys.b, headers, body })
  await world.call('cancelMessage', { key: world.keys.b, id: message.body.id })
  const list = (query: Record<string, string>) =>
    world.call('listCallbackDeliveries', { key: world.keys.b, id, query })
  const first = await list({ limit: '1' })
  expect(first.body.items).toMatchObject([{ type: 'message.closed', state: 'waiting', tries: 0 }])
  const second = await list({ limit: '1', cursor: first.body.nextCursor })
  expect(second.body).toMatchObject({ items: [{ type: 'message.state_changed' }], nextCursor: null })
})

it('without SECRETS_KEY there are none', async () => {
  const bare = await openWorld({ services: { secrets: undefined } })
  const { code } = await bare.call('createCallback', { key: bare.keys.a, body: { url } })
  expect(code).toBe('not_configured')
  await bare.close()
})
