import { randomUUID } from 'node:crypto'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { upsertPerson } from '../../../dev/people.ts'
import { insertMember } from '../../../src/db/queries/identity/person.ts'
import { createSession } from '../../../src/services/identity/session.ts'
import { startApi } from '../../fixtures/api.ts'
import { newEvent, sendEvent } from '../../fixtures/signed-event.ts'
import { forFile } from '../../harness/for-file.ts'

/** What EVENT_SIGNING_SOURCES says, changed by the tests as an operator changes it. */
const sources = new Map<string, ReadonlySet<string>>()
const api = forFile(() => startApi({ services: { signingSources: sources } }))
let admin: { session: string }
beforeAll(async () => {
  const { db } = api.database
  const person = { name: 'Admin', email: 'admin@example.edu', systemAdmin: true }
  const personId = await upsertPerson(db, person)
  await insertMember(db, api.units.a, personId, ['editor'])
  admin = { session: (await createSession(db, 'operator:cli', { personId, hours: 1 })).token }
})
afterEach(() => sources.clear())

const ofA = () => ({ key: api.keys.a })
const ofB = () => ({ key: api.keys.b })
const editor = () => ({ session: api.sessions.editor })
const bindBy = (by: { key?: string; session?: string }, source: string) =>
  api.call('createEventBinding', {
    ...by,
    body: { source, type: randomUUID(), categoryId: 'news', audience: { kind: 'event_subjects' } },
  })
const issue = async (unitId: string, source: string) => {
  const body = { unitId, name: 'SIS', sources: [source] }
  return (await api.call('adminCreateEventKey', { ...admin, body })).body as { id: string; secret: string }
}

describe('a source that a unit has not claimed', () => {
  it('is bound by neither its editors nor its keys, who are told whom to ask', async () => {
    const source = randomUUID()
    for (const by of [ofA(), editor(), ofB()]) {
      const refused = await bindBy(by, source)
      expect(refused).toMatchObject({ status: 403, code: 'forbidden' })
      expect(refused.body.error.message).toBe(
        `The unit has not claimed the source ${source}. Ask a system administrator to issue a signing key for it to ` +
          'the unit, or to create its first binding.',
      )
    }
    expect((await issue(api.units.b, source)).id).toEqual(expect.any(String))
  })

  it('is not reached by a change of a binding either, which can still be disabled', async () => {
    const [source, other] = [randomUUID(), randomUUID()]
    sources.set('old', new Set([source]))
    const { id } = (await bindBy(ofA(), source)).body
    const change = (body: object) => api.call('updateEventBinding', { ...editor(), id, body })
    expect(await change({ source: other })).toMatchObject({ status: 403, code: 'forbidden' })
    expect((await change({ keyIds: ['new'] })).status).toBe(200)
    sources.clear()
    expect(await change({ keyIds: ['new', 'old'] })).toMatchObject({ status: 403, code: 'forbidden' })
    expect((await change({ enabled: false })).status).toBe(200)
  })

  it('stays so where a key of the settings may raise every source', async () => {
    expect((await sendEvent(api, newEvent(), { keyId: 'old', source: 'theatre' })).status).toBe(202)
    expect((await bindBy(ofA(), 'theatre')).code).toBe('forbidden')
  })
})

describe('a source is claimed', () => {
  it('by what an administrator binds, for that unit alone', async () => {
    const source = randomUUID()
    expect((await bindBy(admin, source)).status).toBe(201)
    expect((await bindBy(editor(), source)).status).toBe(201)
    expect((await bindBy(ofB(), source)).code).toBe('forbidden')
  })

  it('by what a key of an administrative unit binds', async () => {
    const source = randomUUID()
    expect((await bindBy({ key: api.keys.administrative }, source)).status).toBe(201)
    expect((await bindBy(ofA(), source)).code).toBe('forbidden')
  })

  it('by its first key, also once that is revoked, until another unit gets one', async () => {
    const source = randomUUID()
    const { id } = await issue(api.units.a, source)
    expect((await bindBy(ofB(), source)).code).toBe('validation_error')
    await api.call('adminRevokeEventKey', { ...admin, id })
    expect((await bindBy(ofB(), source)).code).toBe('forbidden')
    const bound = await bindBy(ofA(), source)
    expect(bound.status).toBe(201)
    await api.call('deleteEventBinding', { ...ofA(), id: bound.body.id })
    const next = await issue(api.units.b, source)
    await api.call('adminRevokeEventKey', { ...admin, id: next.id })
    expect((await bindBy(ofA(), source)).code).toBe('forbidden')
    expect((await bindBy(ofB(), source)).status).toBe(201)
  })
})

it('a source that EVENT_SIGNING_SOURCES names is open to every unit', async () => {
  const source = randomUUID()
  sources.set('old', new Set([source]))
  expect((await bindBy(ofA(), source)).status).toBe(201)
  expect((await bindBy(ofB(), source)).status).toBe(201)
})
