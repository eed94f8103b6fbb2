import { beforeAll, expect, it } from 'vitest'
import type { OperationId } from '../../../src/contract/endpoints.ts'
import { createPerson } from '../../../src/services/admin/persons.ts'
import { createSession } from '../../../src/services/identity/session.ts'
import { lookupWay } from '../../../src/services/lookups/way.ts'
import { openOutbound } from '../../../src/services/outbound/outbound.ts'
import { serveApi, startApi } from '../../fixtures/api.ts'
import type { CallOptions } from '../../fixtures/call.ts'
import { auditRows } from '../../fixtures/rows.ts'
import { eventKeys } from '../../fixtures/services.ts'
import { forFile } from '../../harness/for-file.ts'

let session: string
const api = forFile(() =>
  startApi({
    services: { outbound: openOutbound({ allow: [{ host: '127.0.0.1', port: '*' }] }) },
  }),
)
beforeAll(async () => {
  const { db } = api.database
  const person = { email: 'Root@example.edu', name: 'Root', systemAdmin: true }
  const { id: personId } = await createPerson(db, 'operator:cli', person)
  session = (await createSession(db, 'operator:cli', { personId, hours: 1 })).token
})

const call = (operation: OperationId, options: CallOptions = {}) =>
  api.call(operation, { session, ...options })
const create = (body: object) => call('adminCreateLookupEndpoint', { body })

it('are registered, listed newest first, deleted, and audited', async () => {
  const all = await create({ origin: 'https://orders.example.edu' })
  expect(all.status).toBe(201)
  expect(all.body).toEqual({
    id: expect.any(String),
    origin: 'https://orders.example.edu',
    unitId: null,
    keyId: null,
    sendUid: false,
    createdAt: expect.any(String),
  })
  const own = await create({ origin: 'https://orders.example.edu', unitId: api.units.a, keyId: 'new' })
  expect(own.body).toMatchObject({ unitId: api.units.a, keyId: 'new' })
  const { body: first } = await call('adminListLookupEndpoints', { query: { limit: '1' } })
  expect(first.items).toEqual([own.body])
  const { body: second } = await call('adminListLookupEndpoints', { query: { cursor: first.nextCursor } })
  expect(second).toEqual({ items: [all.body], nextCursor: null })

  expect((await call('adminDeleteLookupEndpoint', { id: own.body.id })).body).toEqual({ deleted: true })
  expect((await call('adminDeleteLookupEndpoint', { id: own.body.id })).code).toBe('not_found')
  expect((await call('adminDeleteLookupEndpoint', { id: 'none' })).code).toBe('not_found')
  const audited = await auditRows(api.database.db, own.body.id, 'action', 'object_kind', 'unit_id', 'details')
  const entry = {
    object_kind: 'lookup_endpoint',
    unit_id: api.units.a,
    details: { origin: 'https://orders.example.edu', keyId: 'new' },
  }
  expect(audited).toEqual([
    { action: 'create', ...entry },
    { action: 'delete', ...entry },
  ])
})

it.each([
  ['HTTPS://Shop.Example.edu', 'https://shop.example.edu'],
  ['https://shop2.example.edu:443', 'https://shop2.example.edu'],
  ['https://shop.example.edu:8443', 'https://shop.example.edu:8443'],
  ['https://圖書.example.edu', new URL('https://圖書.example.edu').origin],
  ['https://any.example.edu:*', 'https://any.example.edu:*'],
  ['https://[2606:4700:0::1]:8443', 'https://[2606:4700::1]:8443'],
  ['http://127.0.0.1', 'http://127.0.0.1'],
  ['http://127.0.0.1:*', 'http://127.0.0.1:*'],
])('%s is stored as %s, once', async (origin, stored) => {
  expect((await create({ origin })).body.origin).toBe(stored)
  expect(await create({ origin: stored })).toMatchObject({ status: 400, code: 'validation_error' })
})

it.each([
  ...['', 'orders.example.edu', 'ftp://orders.example.edu', 'https://', 'https://a b'],
  ...['https://orders.example.edu/', 'https://orders.example.edu/lookups', 'https://orders.example.edu?a=b'],
  ...[
    'https://me:secret@orders.example.edu',
    'https://orders.example.edu#a',
    'https://orders.example.edu:99999',
  ],
  ...[
    'http://orders.example.edu',
    'http://localhost',
    'https://10.0.0.1',
    'https://[::1]',
    'https://10.0.0.1:*',
  ],
  ...[
    'http://127.1:x',
    'https://169.254.169.254',
    'https://*.example.edu:*:*',
    'https://[::ffff:10.0.0.1]:*',
  ],
])('the origin %s is refused', async (origin) => {
  expect(await create({ origin })).toMatchObject({ status: 400, code: 'validation_error' })
})

it.each([
  ['a wildcard', 'https://*.example.edu'],
  ['a wildcard for every host', 'https://*'],
  ['an encoded wildcard', 'https://%2A.example.edu:*'],
  ['a NUL character behind it', 'https://nul.example.edu\u0000'],
  ['a NUL character before the port', 'https://nul.example.edu\u0000:*'],
  ['another control character', 'https://nul\u0007.example.edu'],
])('an origin with %s is refused, and told what it may be', async (_, origin) => {
  const { status, body } = await create({ origin })
  const message = expect.stringContaining('only the port may be *')
  expect([status, body.error.details]).toMatchObject([400, { issues: [{ path: 'origin', message }] }])
})

it('an unknown key is 400, an unknown unit 404, and an installation without keys is not configured', async () => {
  const origin = 'https://unknown.example.edu'
  expect(await create({ origin, keyId: 'gone' })).toMatchObject({ status: 400, code: 'validation_error' })
  const unitId = '01939a2e-4b7c-7d10-8f3e-2a5b6c7d8e9f'
  expect(await create({ origin, unitId })).toMatchObject({ status: 404, code: 'not_found' })
  const bare = await serveApi(api.database.db, { services: { signingKeys: new Map() } })
  const refused = await bare.call('adminCreateLookupEndpoint', { session, body: { origin } })
  expect(refused).toMatchObject({ status: 503, code: 'not_configured' })
  await bare.app.close()
})

it('a scenario may call an address of a registered origin, for its unit, with the key of the endpoint', async () => {
  const { database, services, units } = api
  await create({ origin: 'https://both.example.edu' })
  await create({ origin: 'https://both.example.edu', unitId: units.a, keyId: 'new' })
  await create({ origin: 'https://wide.example.edu:*', unitId: units.a })
  const way = (unitId: string, url: string) => lookupWay(services, database.db, unitId, url)
  const [old, next] = ['old', 'new'].map((id) => ({ key: { id, secret: eventKeys.get(id) }, sendUid: false }))
  expect(await way(units.a, 'https://both.example.edu/orders?a=b')).toEqual(next)
  expect(await way(units.b, 'https://BOTH.example.edu:443/orders')).toEqual(old)
  expect(await way(units.a, 'https://wide.example.edu:8443/')).toEqual(old)
  expect(await way(units.b, 'https://wide.example.edu:8443/')).toMatchObject({ rule: 'not_registered' })
  expect(await way(units.a, 'https://both.example.edu:8443/')).toMatchObject({ rule: 'not_registered' })
  expect(await way(units.a, 'http://both.example.edu/')).toMatchObject({ rule: 'not_https' })
  expect(await way(units.a, 'https://both.example.edu.evil.example/')).toMatchObject({
    rule: 'not_registered',
  })
})
