import { afterEach, describe, expect, it } from 'vitest'
import { pollLoop } from '../../../src/background/poll-loop.ts'
import { signaturePurge } from '../../../src/background/tasks.ts'
import { settleNextEvent } from '../../../src/services/events/settle.ts'
import { startApi } from '../../fixtures/api.ts'
import { auditRows, updateRows } from '../../fixtures/rows.ts'
import { bind, newEvent, sendEvent } from '../../fixtures/signed-event.ts'
import { eventually } from '../../harness/eventually.ts'
import { forFile } from '../../harness/for-file.ts'

const api = forFile(startApi)
afterEach(() => api.database.db.deleteFrom('event_binding').execute())

const unknown = '01939a2e-0000-7000-8000-00000000dead'
const least = { source: 'sis', type: 'x', categoryId: 'news', audience: { kind: 'event_subjects' } }
const create = (parts: object = {}, as: { key?: string; session?: string } = { key: api.keys.a }) =>
  api.call('createEventBinding', { ...as, body: { ...least, ...parts } })

describe('a binding', () => {
  it('is created, read, changed and deleted by a key of its unit', async () => {
    const answer = await create()
    expect(answer.status).toBe(201)
    expect(answer.body).toMatchObject({
      ...{ ...least, unitId: api.units.a },
      ...{ templateId: null, keyIds: null, enabled: true },
    })
    const { id } = answer.body
    const changed = await api.call('updateEventBinding', {
      key: api.keys.a,
      id,
      body: { keyIds: ['new'] },
    })
    const newest = { ...answer.body.newest, version: 2, keyIds: ['new'], createdAt: expect.any(String) }
    const second = { inForce: 2, newest, updatedAt: expect.any(String) }
    const { allowed, ...binding } = changed.body
    expect(changed.body).toEqual({ ...answer.body, keyIds: ['new'], ...second, allowed })
    expect((await api.call('getEventBinding', { key: api.keys.a, id })).body).toEqual(changed.body)
    const list = await api.call('listEventBindings', { key: api.keys.a })
    expect(list.body).toEqual({ items: [binding], nextCursor: null })
    expect((await api.call('deleteEventBinding', { key: api.keys.a, id })).body).toEqual({
      deleted: true,
    })
    expect((await api.call('getEventBinding', { key: api.keys.a, id })).code).toBe('not_found')
  })

  it('is created by an editor of the unit, and audited', async () => {
    const { body } = await create({}, { session: api.sessions.editor })
    const trail = await auditRows(api.database.db, body.id, 'unit_id', 'action', 'details')
    const details = { source: 'sis', type: 'x', enabled: true, version: 1, state: 'in_force' }
    expect(trail).toEqual([{ unit_id: api.units.a, action: 'create', details }])
  })

  it('is unknown to another unit', async () => {
    const { id } = (await create()).body
    for (const operation of ['getEventBinding', 'deleteEventBinding', 'replayEventBinding'] as const)
      expect((await api.call(operation, { key: api.keys.b, id })).code).toBe('not_found')
  })

  it('is the only active one for its source and type, across units', async () => {
    const { id } = (await create()).body
    expect((await create({}, { key: api.keys.b })).code).toBe('invalid_transition')
    const spare = (await create({ enabled: false }, { key: api.keys.b })).body.id
    const enable = () =>
      api.call('updateEventBinding', { key: api.keys.b, id: spare, body: { enabled: true } })
    expect((await enable()).code).toBe('invalid_transition')
    await api.call('updateEventBinding', { key: api.keys.a, id, body: { enabled: false } })
    expect((await enable()).status).toBe(200)
  })

  it('can always be disabled, even if its objects may not be used any more', async () => {
    const { id } = (await create({ categoryId: 'manual' })).body
    const change = (body: object) => api.call('updateEventBinding', { key: api.keys.restricted, id, body })
    expect((await change({ keyIds: ['new'] })).code).toBe('category_not_allowed')
    expect((await change({ enabled: false })).body).toMatchObject({ enabled: false, categoryId: 'manual' })
    expect((await change({ enabled: true })).code).toBe('category_not_allowed')
  })

  it.each([
    [{ categoryId: 'nowhere' }, 'not_found'],
    [{ templateId: unknown }, 'not_found'],
    [{ templateId: 'no-id' }, 'not_found'],
    [{ scenarioId: 'later', templateId: null }, 'not_found'],
    [{ audience: { kind: 'all' } }, 'validation_error'],
    [{ source: 'a b' }, 'validation_error'],
    [{ keyIds: [] }, 'validation_error'],
  ])('of %j is rejected: %s', async (parts, code) => {
    expect((await create(parts)).code).toBe(code)
  })

  it('has the rights of the key; the subjects an event names need no right', async () => {
    const restricted = { key: api.keys.restricted }
    expect((await create({ categoryId: 'manual' }, restricted)).code).toBe('category_not_allowed')
    const audience = { kind: 'query', tags: ['x'] }
    expect((await create({ audience }, restricted)).code).toBe('audience_dimension_not_allowed')
    expect((await create({}, restricted)).status).toBe(201)
  })
})

describe('a replay', () => {
  it('creates messages of failed events, and reports those that fail again', async () => {
    const id = await bind(api, { templateId: null })
    const events = [newEvent(), newEvent(), newEvent({ data: {} })]
    for (const event of events) expect((await sendEvent(api, event)).body.error).toBe('no_template')
    const { approved: templateId } = api.templates
    await api.call('updateEventBinding', { key: api.keys.a, id, body: { templateId } })
    const replay = () => api.call('replayEventBinding', { key: api.keys.a, id })
    const missing = { errors: { missing_variable: 1 }, waiting: 0 }
    expect((await replay()).body).toEqual({ events: 3, messages: 2, runs: 0, ...missing })
    expect((await replay()).body).toEqual({ events: 1, messages: 0, runs: 0, ...missing })
    expect((await sendEvent(api, events[0])).body).toMatchObject({ accepted: true, duplicate: true })
  })

  it('is rejected while the binding is not enabled', async () => {
    const id = await bind(api, { enabled: false })
    expect((await api.call('replayEventBinding', { key: api.keys.a, id })).code).toBe('invalid_transition')
  })
})

it('the background task settles what a request has left', async () => {
  const { db } = api.database
  await bind(api)
  const events = [newEvent(), newEvent()]
  for (const event of events) await sendEvent(api, { ...event, type: 'unbound' })
  await db
    .updateTable('event')
    .set({ error: null, type: 'course.moved', next_try_at: new Date(0) })
    .where('type', '=', 'unbound')
    .execute()
  expect(await settleNextEvent(api.services)).toBe(true)
  expect(await settleNextEvent(api.services)).toBe(true)
  expect(await settleNextEvent(api.services)).toBe(false)
  const ids = events.map(({ eventId }) => eventId)
  const rows = await db.selectFrom('event').select('message_id').where('event_id', 'in', ids).execute()
  expect(rows).toEqual([{ message_id: expect.any(String) }, { message_id: expect.any(String) }])
})

it('signatures are deleted once their replay window is over', async () => {
  const { db } = api.database
  const signatures = () => db.selectFrom('event_signature').select('event_ids').execute()
  await sendEvent(api, newEvent())
  await updateRows(db, 'event_signature', {}, { received_at: new Date(0) })
  const young = newEvent()
  await sendEvent(api, young)
  const rounds = pollLoop(signaturePurge(api.services), api.services.log)
  await eventually(async () => expect(await signatures()).toEqual([{ event_ids: [young.eventId] }]))
  await rounds.stop()
})
