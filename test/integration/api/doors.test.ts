import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isSigned } from '../../../src/api/auth/doors.ts'
import type { Endpoint } from '../../../src/contract/endpoint.ts'
import { endpoints, type OperationId } from '../../../src/contract/endpoints.ts'
import { newMessage } from './new-message.ts'
import { objectsOf } from './objects.ts'
import { openWorld, type World } from './world.ts'

let world: World
/** What each operation needs to get as far as its door lets it: an object of unit a, a body. */
let objects: Record<string, string>
beforeAll(async () => {
  world = await openWorld()
  objects = await objectsOf(world)
})
afterAll(() => world.close())

const guarded = Object.entries<Endpoint>(endpoints).filter(([, { doors }]) => doors.length > 0)
const those = (which: (endpoint: Endpoint) => boolean) =>
  guarded.filter(([, endpoint]) => which(endpoint)).map(([id]) => id as OperationId)

const ids = those(() => true)
/** Those whose credential stands in a header; the others verify what was sent. */
const personal = those((endpoint) => !isSigned(endpoint))
const withoutProducers = those((endpoint) => !isSigned(endpoint) && !endpoint.doors.includes('producer'))
const administrative = those(({ administrative }) => administrative === true)
const forApprovers = those(({ roles }) => roles?.join() === 'approver')
const withObject = those(({ unit, administrative }) => unit === 'object' && !administrative)
const inBody = those(({ unit }) => unit === 'body')
const inQuery = those(({ unit }) => unit === 'query')

function knock(id: OperationId, as: { key?: string; session?: string; headers?: Record<string, string> }) {
  const endpoint: Endpoint = endpoints[id]
  return world.call(id, {
    ...as,
    id: objects[endpoint.tag] ?? '',
    headers: { 'idempotency-key': `doors ${Math.random()}`, ...as.headers },
    ...(endpoint.body && { body: endpoint.bodyExample }),
  })
}

/** An example names a category of its own. */
function inNews(example: unknown): object {
  const body = example as object
  return 'categoryId' in body ? { ...body, categoryId: 'news' } : body
}

const malformed = [
  'Bearer',
  'Bearer hub_x',
  'Basic dTpw',
  'Bearer hub_a_b_c',
  'hub_a_b',
  `Bearer hub_${'a'.repeat(99)}_b`,
  '',
]

describe.each(ids)('%s', (id) => {
  it('asks who is calling before it looks at anything else', async () => {
    const answer = await world.call(id, { raw: '{', id: 'no-id', query: { limit: 'x' } })
    expect(answer.code).toBe('unauthenticated')
    expect(answer.headers['www-authenticate']).toMatch(/^Bearer/)
  })
})

describe.each(personal)('%s', (id) => {
  it('knows no malformed, unknown or revoked key', async () => {
    const wrong = `${world.keys.a.slice(0, -1)}${world.keys.a.endsWith('0') ? '1' : '0'}`
    for (const authorization of [
      ...malformed,
      `Bearer ${wrong}`,
      `Bearer ${world.keys.revoked}`,
      'Bearer hub_nobody_secret',
    ])
      expect((await knock(id, { headers: { authorization } })).code, authorization).toBe('invalid_credential')
  })

  it('knows no unknown, ended or expired session', async () => {
    for (const session of ['nonsense', world.sessions.over])
      expect((await knock(id, { session })).code).toBe('invalid_credential')
  })

  it('tells sessions’ answers to no cache', async () => {
    const { headers } = await knock(id, { session: await world.newSession('approver') })
    expect(headers['cache-control']).toBe('no-store')
  })
})

it.each(withoutProducers)('%s is closed to producer keys', async (id) => {
  expect((await knock(id, { key: world.keys.a })).code).toBe('forbidden')
})

it.each(administrative)('%s is closed to keys of ordinary units', async (id) => {
  expect((await knock(id, { key: world.keys.a })).code).toBe('identity_api_forbidden')
})

it.each(forApprovers)('%s is closed to editors', async (id) => {
  expect((await knock(id, { session: world.sessions.editor })).code).toBe('forbidden')
})

describe.each(withObject)('%s', (id) => {
  it('does not know another unit’s object', async () => {
    const { doors }: Endpoint = endpoints[id]
    const callers = [{ session: world.sessions.otherApprover }, { session: world.sessions.stranger }]
    for (const as of doors.includes('producer') ? [...callers, { key: world.keys.b }] : callers)
      expect((await knock(id, as)).code).toBe('not_found')
  })
})

describe.each([...inBody, ...inQuery])('%s', (id) => {
  const { body, bodyExample }: Endpoint = endpoints[id]
  const inUnit = (session: string, unitId?: string) =>
    world.call(id, {
      session,
      headers: { 'idempotency-key': `units ${Math.random()}` },
      ...(body ? { body: { ...inNews(bodyExample), unitId } } : unitId ? { query: { unitId } } : {}),
    })

  it('asks those with several units for one', async () => {
    expect((await inUnit(world.sessions.twoUnits)).code).toBe('unit_required')
    expect((await inUnit(world.sessions.twoUnits, world.units.b)).code).not.toBe('unit_required')
  })

  it('refuses a unit that the caller is no member of', async () => {
    for (const unitId of [world.units.b, '01939a2e-0000-7000-8000-00000000dead', 'no-id'])
      expect((await inUnit(world.sessions.editor, unitId)).code).toBe('forbidden')
    expect((await inUnit(world.sessions.stranger)).code).toBe('forbidden')
  })
})

it('a producer key’s unit is its own, whatever the body says', async () => {
  const headers = { 'idempotency-key': 'pinned' }
  const body = { ...newMessage, unitId: world.units.b }
  const { id } = (await world.call('createMessage', { key: world.keys.a, headers, body })).body
  expect((await world.call('getMessage', { key: world.keys.a, id })).body.unitId).toBe(world.units.a)
})

it('a key that is wrong is not made up for by a good session', async () => {
  const authorization = 'Bearer hub_nobody_secret'
  const answer = await world.call('listMessages', {
    session: world.sessions.editor,
    headers: { authorization },
  })
  expect(answer.code).toBe('invalid_credential')
})
