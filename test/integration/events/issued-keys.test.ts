import { randomBytes, randomUUID } from 'node:crypto'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { resealAll } from '../../../src/services/reseal-secrets.ts'
import { secretBox } from '../../../src/services/secret-box.ts'
import { serveApi, startApi } from '../../fixtures/api.ts'
import { administratorSession } from '../../fixtures/seed.ts'
import { bind, claim, newEvent, secondsFromNow, sendEvent } from '../../fixtures/signed-event.ts'
import { forFile } from '../../harness/for-file.ts'

const sealing = randomBytes(32)
const api = forFile(() => startApi({ services: { secrets: secretBox(sealing) } }))
let session: string
beforeAll(async () => {
  session = await administratorSession(api.database.db)
})
afterEach(async () => {
  await api.database.db.deleteFrom('event_binding').execute()
  await api.database.db.deleteFrom('event_key').execute()
})

type Key = { id: string; secret: string }
const issue = (parts: object = {}) =>
  api.call('adminCreateEventKey', {
    session,
    body: { unitId: api.units.a, name: 'SIS', sources: ['sis', 'library'], ...parts },
  })
const signedBy = ({ id, secret }: Key) => ({ keyId: id, secret })

describe('a signing key that was issued', () => {
  it('signs events of its sources at once, and of no other, until it is revoked', async () => {
    await bind(api)
    const key: Key = (await issue()).body
    expect((await sendEvent(api, newEvent(), signedBy(key))).body).toMatchObject({ accepted: true })
    const other = { ...signedBy(key), source: 'finance' }
    expect(await sendEvent(api, newEvent(), other)).toMatchObject({ status: 401, code: 'unknown_key' })
    const forged = { keyId: key.id, secret: 'guessed' }
    expect(await sendEvent(api, newEvent(), forged)).toMatchObject({ status: 401, code: 'bad_signature' })

    const revoked = (await api.call('adminRevokeEventKey', { session, id: key.id })).body
    expect(revoked).toMatchObject({ id: key.id, name: 'SIS', revokedAt: expect.any(String) })
    expect((await sendEvent(api, newEvent(), signedBy(key))).code).toBe('unknown_key')
    expect((await api.call('adminRevokeEventKey', { session, id: key.id })).code).toBe('not_found')
  })

  it('is stored sealed and shown once, and audited without its secret', async () => {
    const key: Key = (await issue()).body
    const { items } = (await api.call('adminListEventKeys', { session, query: { unitId: api.units.a } })).body
    expect(items).toMatchObject([{ id: key.id, sources: ['sis', 'library'], revokedAt: null }])
    const row = await api.database.db.selectFrom('event_key').selectAll().executeTakeFirstOrThrow()
    const audit = await api.database.db
      .selectFrom('audit')
      .selectAll()
      .where('object_id', '=', key.id)
      .execute()
    expect(audit).toMatchObject([{ action: 'create', unit_id: api.units.a }])
    expect(JSON.stringify([items, row, audit]) + row.secret.toString('latin1')).not.toContain(key.secret)
  })

  it('is one of two for a unit and source, so that it can be replaced', async () => {
    const [first, second] = [await issue(), await issue({ sources: ['sis'] })]
    expect([first.status, second.status]).toEqual([201, 201])
    const third = await issue({ sources: ['library', 'sis'] })
    expect(third.body.error.details.issues).toMatchObject([
      { path: 'sources[1]', message: expect.stringContaining('revoke one of them first') },
    ])
    await api.call('adminRevokeEventKey', { session, id: first.body.id })
    expect((await issue({ sources: ['library', 'sis'] })).status).toBe(201)
  })

  it('is never a third when several are issued at once', async () => {
    const statuses = (await Promise.all(Array.from({ length: 6 }, () => issue()))).map(({ status }) => status)
    expect(statuses.filter((status) => status === 201)).toHaveLength(2)
  })

  it('is of a source that no other unit signs or binds, whichever came first', async () => {
    await issue()
    const foreign = await issue({ unitId: api.units.b, sources: ['finance', 'library'] })
    expect(foreign.body.error.details.issues).toMatchObject([{ path: 'sources[1]' }])
    const binding = {
      ...{ source: 'sis', type: randomUUID(), categoryId: 'news' },
      audience: { kind: 'event_subjects' },
    }
    const bound = await api.call('createEventBinding', { key: api.keys.b, body: binding })
    expect(bound.body.error.details.issues).toMatchObject([{ path: 'source' }])
    await bind(api, { source: 'sports' })
    expect((await issue({ unitId: api.units.b, sources: ['sports'] })).code).toBe('validation_error')
  })

  it('triggers the bindings of its unit alone', async () => {
    await bind(api, { source: 'sports' })
    const key: Key = (await issue({ sources: ['sports'] })).body
    const { db } = api.database
    await db.updateTable('event_key').set({ unit_id: api.units.b }).where('id', '=', key.id).execute()
    const by = { ...signedBy(key), source: 'sports' }
    expect((await sendEvent(api, newEvent(), by)).body.error).toBe('no_binding')
  })

  it('yields to a key of the settings with the same id', async () => {
    const key: Key = (await issue()).body
    await api.database.db.updateTable('event_key').set({ id: 'new' }).where('id', '=', key.id).execute()
    expect((await sendEvent(api, newEvent(), { keyId: 'new', secret: key.secret })).code).toBe(
      'bad_signature',
    )
    expect((await sendEvent(api, newEvent(), { keyId: 'new' })).status).toBe(202)
  })

  it('signs no Lookups', async () => {
    const key: Key = (await issue()).body
    const body = { origin: 'https://orders.example.edu', keyId: key.id }
    const { body: refused } = await api.call('adminCreateLookupEndpoint', { session, body })
    expect(refused.error.details.issues).toMatchObject([{ path: 'keyId' }])
  })

  it('is sealed again with a new SECRETS_KEY; without it, the producer learns whom to ask', async () => {
    const key: Key = (await issue()).body
    const current = randomBytes(32)
    const by = signedBy(key)
    const other = await serveApi(api.database.db, { services: { secrets: secretBox(current) } })
    const event = newEvent()
    expect(await sendEvent(other, event, by)).toMatchObject({ status: 503, code: 'not_configured' })
    const both = secretBox(current, [sealing])
    expect(await resealAll(api.database.db, both, 'operator:cli')).toMatchObject({ unreadable: [] })
    expect((await sendEvent(other, event, { ...by, timestamp: secondsFromNow(1) })).status).toBe(202)
    await other.app.close()
  })
})

describe('the recorded events of a source that is one unit’s alone', () => {
  const list = async (key: string, query: Record<string, string> = {}) =>
    (await api.call('listRecordedEvents', { key, query })).body.items
  const idsOf = (items: { eventId: string }[]) => items.map(({ eventId }) => eventId)

  it('include those of types that nothing binds, for the unit of the key and of the only bindings', async () => {
    const source = randomUUID()
    const [first, second] = [newEvent({ type: randomUUID() }), newEvent({ type: randomUUID() })]
    await sendEvent(api, first, { source })
    expect(await list(api.keys.a, { source })).toEqual([])
    await bind(api, { source })
    await sendEvent(api, second, { source })
    const [item] = await list(api.keys.a, { source })
    expect(idsOf(await list(api.keys.a, { source }))).toEqual([second.eventId, first.eventId])
    expect((await api.call('getRecordedEvent', { key: api.keys.a, id: item.id })).body).toEqual(item)
    expect(item).toMatchObject({ error: 'no_binding', unusedVariables: [] })
    expect(await list(api.keys.b)).toEqual([])
    expect((await api.call('getRecordedEvent', { key: api.keys.b, id: item.id })).status).toBe(404)

    const key: Key = (await issue({ unitId: api.units.b, sources: ['theatre'] })).body
    const third = newEvent()
    await sendEvent(api, third, { ...signedBy(key), source: 'theatre' })
    expect(idsOf(await list(api.keys.b))).toEqual([third.eventId])
    expect(idsOf(await list(api.keys.a))).not.toContain(third.eventId)
  })

  it('stay with the unit that signed them when another unit gets its source', async () => {
    const source = randomUUID()
    const key: Key = (await issue({ sources: [source] })).body
    const [ofA, ofB] = [newEvent(), newEvent()]
    await sendEvent(api, ofA, { ...signedBy(key), source })
    await api.call('adminRevokeEventKey', { session, id: key.id })
    expect(idsOf(await list(api.keys.a, { source }))).toEqual([ofA.eventId])

    const next: Key = (await issue({ unitId: api.units.b, sources: [source] })).body
    await sendEvent(api, ofB, { ...signedBy(next), source })
    const [item] = await list(api.keys.b, { source })
    expect(idsOf(await list(api.keys.b, { source }))).toEqual([ofB.eventId])
    expect(idsOf(await list(api.keys.a, { source }))).not.toContain(ofB.eventId)
    expect((await api.call('getRecordedEvent', { key: api.keys.a, id: item.id })).status).toBe(404)
  })

  it('show nothing to either of two units that bind it', async () => {
    const source = randomUUID()
    const unbound = newEvent({ type: randomUUID() })
    await sendEvent(api, unbound, { source })
    await bind(api, { source })
    await claim(api, api.units.b, source)
    const body = { source, type: 'other', categoryId: 'news', audience: { kind: 'event_subjects' } }
    expect((await api.call('createEventBinding', { key: api.keys.b, body })).status).toBe(201)
    for (const key of [api.keys.a, api.keys.b]) expect(await list(key, { source })).toEqual([])
  })

  it('list an event once, and say which of its data nobody takes', async () => {
    const source = randomUUID()
    await bind(api, { source })
    const misspelt = newEvent({ data: { dya: 'Saturday', room: 'B2' } })
    const good = newEvent()
    for (const event of [misspelt, good]) await sendEvent(api, event, { source })
    expect(await list(api.keys.a, { source })).toMatchObject([
      { eventId: good.eventId, unusedVariables: [], error: null },
      { eventId: misspelt.eventId, unusedVariables: ['dya', 'room'], error: 'missing_variable' },
    ])
  })
})
