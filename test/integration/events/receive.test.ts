import { sql } from 'kysely'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { EventError } from '../../../src/contract/enums.ts'
import { limits } from '../../../src/contract/limits.ts'
import type { Trx } from '../../../src/db/connect.ts'
import { lockEvent } from '../../../src/db/queries/event/event.ts'
import { eventErrorMessages } from '../../../src/services/events/settle.ts'
import { startApi } from '../../fixtures/api.ts'
import { insertRow, selectRow, updateRows } from '../../fixtures/rows.ts'
import {
  bind,
  newEvent,
  rebind,
  secondsFromNow,
  sendEvent,
  sendEvents,
  signatureHeaders,
} from '../../fixtures/signed-event.ts'
import { forFile } from '../../harness/for-file.ts'
import { commitWhileBlocked } from '../../harness/lock-waits.ts'

const wakes: string[] = []
const api = forFile(() =>
  startApi({
    services: {
      wake: (kind, id, told) => void wakes.push(`${kind} ${id} ${told.map(({ name }) => name).join(' ')}`),
    },
  }),
)
beforeAll(async () => {
  await sql`update quota_default set monthly_limit = 100000`.execute(api.database.db)
})

let bindingId: string
beforeEach(async () => {
  wakes.length = 0
  bindingId = await bind(api)
})
afterEach(() => api.database.db.deleteFrom('event_binding').execute())

const messages = async () =>
  Number(
    (
      await api.database.db
        .selectFrom('message')
        .select(({ fn }) => fn.countAll().as('n'))
        .executeTakeFirstOrThrow()
    ).n,
  )

const recorded = (eventId: string) =>
  api.database.db.selectFrom('event').selectAll().where('event_id', '=', eventId).executeTakeFirstOrThrow()

const recordedAs = (id: string) =>
  api.database.db.selectFrom('event').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

function messageOf(id: string) {
  return api.call('getMessage', { session: api.sessions.approver, id })
}

describe('an event', () => {
  it('becomes a message that is approved automatically, and its run is woken', async () => {
    const event = newEvent()
    const { status, body } = await sendEvent(api, event)
    expect(status, JSON.stringify(body)).toBe(202)
    expect(body).toEqual({
      accepted: true,
      duplicate: false,
      unknownUids: 0,
      eventId: event.eventId,
      messageId: expect.any(String),
    })
    const message = (await messageOf(body.messageId)).body
    expect(message).toMatchObject({
      state: 'approved',
      kind: 'personal',
      origin: 'event',
      unitId: api.units.a,
      author: { id: 'event:sis', name: 'sis' },
      recipients: { total: 1 },
    })
    expect(wakes).toEqual([`message ${body.messageId} submitted approved`])
  })

  it('waits for approval if the automatic check does not approve it', async () => {
    await rebind(api, bindingId, { categoryId: 'manual' })
    const { body } = await sendEvent(api, newEvent())
    expect((await messageOf(body.messageId)).body).toMatchObject({
      state: 'submitted',
      review: { reason: 'category_not_auto' },
    })
  })

  it('ignores unknown subjects, and accepts thousands', async () => {
    const { db } = api.database
    await sql`insert into subject (uid) select 'many-' || n from generate_series(1, 4999) n`.execute(db)
    const subjectUids = [...Array.from({ length: 4_998 }, (_, n) => `many-${n + 1}`), 's1', 'nobody']
    const { body } = await sendEvent(api, newEvent({ subjectUids }))
    const { audience } = await selectRow(db, 'message', { id: body.messageId }, ['audience'])
    expect(audience).toMatchObject({ kind: 'individual', uids: expect.any(Array) })
    expect('uids' in audience && audience.uids.length).toBe(4_999)
  })

  it.each([
    ['empty', ''],
    ['too long', 'x'.repeat(201)],
    ['with a NUL', 's1\u0000'],
    ['with half a character', '\ud800'],
  ])('ignores a malformed uid, and reaches the others: %s', async (_what, uid) => {
    const event = newEvent({ subjectUids: ['s1', uid, 's2'] })
    const { status, body } = await sendEvent(api, event)
    expect(status, JSON.stringify(body)).toBe(202)
    expect((await messageOf(body.messageId)).body.recipients.total).toBe(2)
    expect((await recorded(event.eventId)).subject_uids).toEqual(['s1', 'malformed uid', 's2'])
  })

  it('ignores further fields, also what they contain', async () => {
    const { body } = await sendEvent(api, { ...newEvent(), trace: { id: 'a\u0000b' }, schemaVersion: 2 })
    expect(body).toMatchObject({ accepted: true })
  })

  it.each([
    ['2026-11-20T09:00:00', '2026-11-20T09:00:00.000Z'],
    ['2026-11-20T09:00:00.25', '2026-11-20T09:00:00.250Z'],
    ['2026-11-20T09:00:00+08:00', '2026-11-20T01:00:00.000Z'],
  ])('happened at %s, in UTC if there is no offset', async (occurredAt, instant) => {
    const event = newEvent({ occurredAt })
    expect((await sendEvent(api, event)).body).toMatchObject({ accepted: true })
    expect((await recorded(event.eventId)).occurred_at?.toISOString()).toBe(instant)
  })

  it('is the acquisition of a new subject, unless there is an earlier one', async () => {
    const { db } = api.database
    await sql`update subject set acquisition_source = null where uid = 's2'`.execute(db)
    await sql`update subject set acquisition_source = 'import' where uid = 's3'`.execute(db)
    await sendEvent(api, newEvent({ subjectUids: ['s2', 's3'] }))
    const subjects =
      await sql`select uid, acquisition_source as source from subject where uid in ('s2', 's3') order by uid`.execute(
        db,
      )
    expect(subjects.rows).toEqual([
      { uid: 's2', source: 'event:sis' },
      { uid: 's3', source: 'import' },
    ])
  })

  it('is for its binding’s query, whichever subjects it names, and waits for a person each time', async () => {
    const audience = { kind: 'query', roles: ['student'] }
    await rebind(api, bindingId, { audience })
    const { body } = await sendEvent(api, newEvent({ subjectUids: [] }))
    expect((await messageOf(body.messageId)).body).toMatchObject({
      kind: 'broadcast',
      recipients: { total: 3 },
      state: 'submitted',
      review: { reason: 'audience_not_subjects' },
    })
    const again = await api.call('approveMessage', { key: api.keys.a, id: body.messageId })
    expect(again.body).toEqual({ approved: false, reason: 'audience_not_subjects' })
  })
})

describe('an event without a message', () => {
  const failures: [code: EventError, prepare: () => object | Promise<object>][] = [
    ['no_subjects', () => ({ subjectUids: ['nobody'] })],
    ['no_subjects', () => ({ subjectUids: [], type: 'nothing.bound' })],
    ['no_binding', () => ({ type: 'nothing.bound' })],
    ['no_binding', () => change({ keyIds: ['old'] })],
    ['no_binding', () => change({ enabled: false })],
    ['no_template', () => change({ templateId: null })],
    ['missing_variable', () => ({ data: {} })],
    ['content_violation', () => ({ data: { day: 'x'.repeat(5_001) } })],
  ]
  const change = async (body: object) => {
    await rebind(api, bindingId, body)
    return {}
  }

  it.each(failures)(
    'is answered %s, recorded, and the same when it is sent once more',
    async (error, prepare) => {
      const before = await messages()
      const event = newEvent(await prepare())
      const timestamp = secondsFromNow(0)
      const first = await sendEvent(api, event, { timestamp })
      const unknownUids = event.subjectUids.includes('nobody') ? 1 : 0
      const message = eventErrorMessages[error]
      const answer = { error, message, eventId: event.eventId, unknownUids, duplicate: false }
      const named = ['missing_variable', 'content_violation'].includes(error)
      expect([first.status, first.body]).toEqual([
        202,
        { ...answer, ...(named && { details: expect.any(Object) }) },
      ])
      expect((await sendEvent(api, event, { timestamp })).body).toEqual({ ...first.body, duplicate: true })
      expect(await messages()).toBe(before)
    },
  )

  it('is answered content_violation if nobody would receive its message, until somebody can', async () => {
    const { db } = api.database
    await db.insertInto('subject').values({ uid: 'newcomer' }).execute()
    const before = await messages()
    const event = newEvent({ subjectUids: ['newcomer'] })
    const { status, body } = await sendEvent(api, event, { timestamp: secondsFromNow(-2) })
    const details = { violations: [{ path: 'audience', code: 'nobody', message: expect.any(Object) }] }
    const { eventId } = event
    const message = eventErrorMessages.content_violation
    const answer = { error: 'content_violation', message, details, eventId, unknownUids: 0, duplicate: false }
    expect([status, body]).toEqual([202, answer])
    expect(await recorded(event.eventId)).toMatchObject({
      error: 'content_violation',
      message_id: null,
      details,
    })

    await rebind(api, bindingId, { audience: { kind: 'query', tags: ['nobody:yet'] } })
    const ofQuery = await sendEvent(api, newEvent())
    expect(ofQuery.body).toMatchObject({ error: 'content_violation', details })
    expect(await messages()).toBe(before)

    await sql`update subject set tags = '{nobody:yet}' where uid = 's1'`.execute(db)
    expect((await sendEvent(api, event)).body).toMatchObject({
      accepted: true,
      messageId: expect.any(String),
    })
    await sql`update subject set tags = '{}' where uid = 's1'`.execute(db)
  })

  it('is retried if it is newly signed, in its new state', async () => {
    const event = newEvent({ data: {} })
    expect((await sendEvent(api, event, { timestamp: secondsFromNow(-2) })).body.error).toBe(
      'missing_variable',
    )
    const mended = { ...event, data: { day: 'Sunday' } }
    const answer = (await sendEvent(api, mended, { timestamp: secondsFromNow(-1) })).body
    expect(answer).toMatchObject({ accepted: true, duplicate: false })
    expect((await sendEvent(api, event, { timestamp: secondsFromNow(0) })).body).toEqual({
      ...answer,
      duplicate: true,
      differs: true,
    })
  })
})

describe('an event that is sent again', () => {
  it('has the same response with the same signature, for any source', async () => {
    const event = newEvent()
    const timestamp = secondsFromNow(0)
    const { body } = await sendEvent(api, event, { timestamp })
    for (const source of ['sis', 'another'])
      expect((await sendEvent(api, event, { timestamp, source })).body).toEqual({
        ...body,
        duplicate: true,
      })
  })

  it('has the same response newly signed, with the other key, and with another content', async () => {
    const event = newEvent()
    const { body } = await sendEvent(api, event, { keyId: 'old' })
    expect((await sendEvent(api, event)).body).toEqual({ ...body, duplicate: true })
    const changed = { ...body, duplicate: true, differs: true }
    for (const parts of [{ data: {} }, { subjectUids: Array(6_000).fill('x') }])
      expect((await sendEvent(api, { ...event, ...parts })).body).toEqual(changed)
    const purged = { data: '{}', subject_uids: [] }
    await api.database.db.updateTable('event').set(purged).where('event_id', '=', event.eventId).execute()
    expect((await sendEvent(api, { ...event, data: {} })).body).toEqual({ ...body, duplicate: true })
    expect(await sendEvent(api, event, { source: 'another', timestamp: secondsFromNow(1) })).toMatchObject({
      body: { error: 'no_binding' },
    })
  })

  it('has the response no_binding only until its signature is deleted or the binding created', async () => {
    const event = newEvent({ type: 'late.bound' })
    const timestamp = secondsFromNow(-1)
    expect((await sendEvent(api, event, { timestamp })).body.error).toBe('no_binding')
    await bind(api, { type: 'late.bound' })
    expect((await sendEvent(api, event, { timestamp })).body.error).toBe('no_binding')
    expect((await sendEvent(api, event)).body).toMatchObject({ accepted: true, duplicate: false })
  })
})

describe('an invalid event', () => {
  it.each([
    ['nothing', ''],
    ['no JSON', '{'],
    ['half UTF-8', Buffer.from([0x7b, 0xff, 0x7d])],
    ['a Lookup by GET', 'subject=0193&orderId=A-1'],
  ])('that is no JSON is rejected: %s', async (_what, raw) => {
    const recorded = () => api.database.db.selectFrom('event_signature').select('digest').execute()
    const before = await recorded()
    const answer = await api.app.inject({
      method: 'POST',
      url: '/v1/events/sis',
      payload: raw,
      headers: { ...signatureHeaders(raw), 'content-type': 'text/anything' },
    })
    expect([answer.statusCode, answer.json().error.code]).toEqual([400, 'validation_error'])
    expect(await recorded()).toEqual(before)
  })

  const listPage = async (query: Record<string, string>) =>
    (await api.call('listRecordedEvents', { key: api.keys.a, query: { source: 'sis', ...query } })).body.items
  const named = newEvent()

  it.each([
    ['no data', { data: undefined }, 'data'],
    ['a list as data', { data: [] }, 'data'],
    ['a date', { occurredAt: '2026-11-20' }, 'occurredAt'],
    ['a time that does not exist', { occurredAt: '2026-02-30T09:00:00' }, 'occurredAt'],
    ['no time', { occurredAt: undefined }, 'occurredAt'],
    ['no subjectUids', { subjectUids: undefined }, 'subjectUids'],
    ['a uid that is no text', { subjectUids: ['s1', 11] }, 'subjectUids[1]'],
    ['a NUL in its data', { data: { day: 'a\u0000b' } }, 'data.day'],
    ['a key that reaches a prototype', { data: JSON.parse('{"__proto__": {"x": 1}}') }, 'data'],
    ['a number that was rounded', { data: { day: 2 ** 53 } }, 'data.day'],
    ['no type', { type: undefined }, 'type'],
    ['a type that is too long', { type: 'x'.repeat(201) }, 'type'],
  ])('is recorded, and made once it is mended and sent again: %s', async (_what, parts, path) => {
    const { eventId } = newEvent()
    const sent = { ...named, eventId, ...parts }
    const timestamp = secondsFromNow(-2)
    const first = await sendEvent(api, sent, { timestamp })
    const issue = { path, message: expect.stringMatching(/^must|^is missing/), rule: expect.any(String) }
    const details = { issues: [expect.objectContaining(issue)] }
    const answer = { error: 'invalid_event', message: eventErrorMessages.invalid_event, eventId, details }
    expect([first.status, first.body]).toEqual([202, { ...answer, unknownUids: 0, duplicate: false }])
    expect((await sendEvent(api, sent, { timestamp })).body).toEqual({ ...first.body, duplicate: true })
    const [row] = await listPage({ eventId, error: 'invalid_event' })
    const [type, occurredAt] = ['type' in parts ? null : named.type, '2026-11-20T01:00:00.000Z']
    expect(row).toMatchObject({
      eventId,
      type,
      subjectCount: 0,
      unusedVariables: [],
      messageId: null,
      details,
    })
    expect(row.occurredAt).toBe('occurredAt' in parts ? null : occurredAt)
    expect(await recorded(eventId)).toMatchObject({ data: {}, subject_uids: [] })

    const replayed = await api.call('replayRecordedEvent', { key: api.keys.a, id: row.id })
    expect(replayed.body).toEqual({ ...first.body, duplicate: true })
    expect((await sendEvent(api, { ...named, eventId })).body).toMatchObject({
      accepted: true,
      duplicate: false,
      messageId: expect.any(String),
    })
    expect(await listPage({ eventId })).toMatchObject([{ error: null, details: null, type: named.type }])
  })

  it.each([
    ['no eventId', { ...named, eventId: undefined }],
    ['a number as eventId', { ...named, eventId: 12 }],
    ['an eventId with a NUL', { ...named, eventId: 'a\u0000b' }],
    ['an empty eventId', { ...named, eventId: '' }],
    ['a list', []],
    ['a text', 'text'],
    ['null', null],
    ['a number', 1e21],
    ['the body of a Lookup', { subject: '0193…', orderId: 'A-1' }],
    ['the body of a Lookup without a subject', { ...named, subject: null }],
    ['a Lookup whose variables look like an event', { subject: '0193…', ...named }],
  ])('without an id is recorded under its signature: %s', async (_what, sent) => {
    const timestamp = secondsFromNow(-1)
    const before = await listPage({ error: 'invalid_event' })
    const first = await sendEvent(api, sent, { timestamp })
    expect([first.status, first.body]).toMatchObject([
      202,
      { error: 'invalid_event', eventId: null, duplicate: false, details: { issues: expect.any(Array) } },
    ])
    expect((await sendEvent(api, sent, { timestamp })).body).toEqual({ ...first.body, duplicate: true })
    const after = await listPage({ error: 'invalid_event' })
    expect(after.length).toBe(before.length + 1)
    expect(after[0]).toMatchObject({ eventId: null, error: 'invalid_event', details: first.body.details })
    const { event_id: stored } = await recordedAs(after[0].id)
    expect(await listPage({ eventId: stored })).toEqual([])
    const replayed = await api.call('replayRecordedEvent', { key: api.keys.a, id: after[0].id })
    expect(replayed.body).toEqual({ ...first.body, duplicate: true })
  })

  it('takes the place of no event that has made something', async () => {
    const event = newEvent()
    const answer = (await sendEvent(api, event, { timestamp: secondsFromNow(-1) })).body
    expect((await sendEvent(api, { ...event, data: undefined })).body).toEqual({
      ...answer,
      duplicate: true,
      differs: true,
    })
    expect(await listPage({ eventId: event.eventId })).toMatchObject([
      { messageId: answer.messageId, error: null },
    ])
  })

  it('is not made by a replay of its binding', async () => {
    const event = newEvent({ type: 'replayed.invalid' })
    const id = await bind(api, { type: 'replayed.invalid' })
    await sendEvent(api, { ...event, data: null })
    const { body } = await api.call('replayEventBinding', { key: api.keys.a, id })
    expect(body).toEqual({ events: 0, messages: 0, runs: 0, errors: {}, waiting: 0 })
    expect(await listPage({ eventId: event.eventId })).toMatchObject([{ error: 'invalid_event' }])
  })

  it('holds up no other event of its batch, nor the valid one of its id', async () => {
    const [good, same] = [newEvent(), newEvent()]
    const { body } = await sendEvents(api, [
      { ...newEvent(), data: 1 },
      good,
      'text',
      { ...same, occurredAt: 'soon' },
      same,
    ])
    expect(body.items).toMatchObject([
      { error: 'invalid_event', duplicate: false, details: { issues: [{ path: 'data' }] } },
      { accepted: true, eventId: good.eventId },
      { error: 'invalid_event', eventId: null },
      { accepted: true, eventId: same.eventId, duplicate: false },
      { accepted: true, eventId: same.eventId, duplicate: true },
    ])
  })

  it('has its query checked all the same, once the signature is', async () => {
    const raw = JSON.stringify({ ...newEvent(), data: 1 })
    const call = (headers: Record<string, string>) =>
      api.call('receiveEvent', { id: 'sis', raw, headers, query: { dryRun: 'true' } })
    expect((await call(signatureHeaders(raw))).code).toBe('validation_error')
    expect((await call(signatureHeaders(`${raw} `))).code).toBe('bad_signature')
  })

  it('is rejected: more than 5,000 subjects, and not recorded', async () => {
    const event = newEvent({
      subjectUids: Array.from({ length: limits.subjectsPerEvent + 1 }, (_, n) => `u${n}`),
    })
    expect(await sendEvent(api, event)).toMatchObject({ status: 413, code: 'too_many_subjects' })
    expect((await sendEvent(api, { ...event, subjectUids: ['s1'] })).body.duplicate).toBe(false)
  })
})

describe('a batch', () => {
  it('ignores further fields, but is none with the subject of a Lookup', async () => {
    const body = { events: [newEvent()], sentBy: 'sis' }
    const post = (parts: object) => {
      const raw = JSON.stringify({ ...body, ...parts })
      return api.call('receiveEvents', { id: 'sis', raw, headers: signatureHeaders(raw) })
    }
    expect((await post({ subject: '0193…' })).body.items).toMatchObject([
      { error: 'invalid_event', eventId: null, details: { issues: [{ path: 'subject' }] } },
    ])
    expect((await post({})).body.items).toMatchObject([{ accepted: true }])
  })

  it('returns each event’s result in order, a repeated one as a duplicate', async () => {
    const [good, unbound] = [newEvent(), newEvent({ type: 'nothing.bound' })]
    const { status, body } = await sendEvents(api, [good, unbound, good])
    expect(status, JSON.stringify(body)).toBe(202)
    expect(body.items).toEqual([
      ...[
        {
          accepted: true,
          duplicate: false,
          eventId: good.eventId,
          unknownUids: 0,
          messageId: expect.any(String),
        },
      ],
      {
        ...{ error: 'no_binding', message: eventErrorMessages.no_binding },
        ...{ duplicate: false, eventId: unbound.eventId, unknownUids: 0 },
      },
      { ...body.items[0], duplicate: true },
    ])
  })

  it('has the same response with the same signature', async () => {
    const events = [newEvent(), newEvent({ type: 'nothing.bound' })]
    const timestamp = secondsFromNow(0)
    const { items } = (await sendEvents(api, events, { timestamp })).body
    const again = (await sendEvents(api, events, { timestamp })).body
    expect(again.items).toEqual(items.map((item: object) => ({ ...item, duplicate: true })))
  })

  it('accepts a hundred events and no more', async () => {
    const events = Array.from({ length: limits.eventsPerBatch }, () => newEvent({ type: 'nothing.bound' }))
    expect((await sendEvents(api, events)).body.items).toHaveLength(limits.eventsPerBatch)
    expect((await sendEvents(api, [...events, newEvent()])).code).toBe('too_many_events')
  })

  it('names fifty thousand subjects and no more, and is recorded as a whole or not at all', async () => {
    const type = 'nothing.bound'
    const full = () => newEvent({ type, subjectUids: Array(limits.subjectsPerEvent).fill('s1') })
    const events = Array.from({ length: limits.subjectsPerBatch / limits.subjectsPerEvent }, full)
    expect((await sendEvents(api, events)).status).toBe(202)
    const more = [...Array.from({ length: events.length }, full), newEvent({ type })]
    expect((await sendEvents(api, more)).code).toBe('too_many_subjects')
    const recorded = await api.database.db
      .selectFrom('event')
      .select('event_id')
      .where(
        'event_id',
        'in',
        more.map(({ eventId }) => eventId),
      )
      .execute()
    expect(recorded).toEqual([])
  })
})

describe('an event whose request was interrupted', () => {
  it('is settled by the first request for it', async () => {
    const event = newEvent()
    await insertRow(api.database.db, 'event', {
      source: 'sis',
      event_id: event.eventId,
      type: event.type,
      occurred_at: event.occurredAt,
      subject_uids: event.subjectUids,
      data: JSON.stringify(event.data),
      key_id: 'new',
      next_try_at: new Date(),
    })
    expect((await sendEvent(api, event)).body).toMatchObject({ accepted: true, duplicate: false })
  })
})

it('no event is identified by its id alone', async () => {
  const event = newEvent()
  await bind(api, { source: 'other' })
  const one = await sendEvent(api, event)
  const other = await sendEvent(api, event, { source: 'other', timestamp: secondsFromNow(1) })
  expect(other.body).toMatchObject({ duplicate: false })
  expect(other.body.messageId).not.toBe(one.body.messageId)
})

it('an event that is sent anew while its lock is waited for counts with its new subjects', async () => {
  const { db } = api.database
  const event = newEvent({ type: 'unbound', subjectUids: ['s1'] })
  await sendEvent(api, event)
  const resent = (trx: Trx) =>
    updateRows(trx, 'event', { event_id: event.eventId }, { subject_uids: ['s2', 's3'] })
  const lock = () =>
    db.transaction().execute((trx) => lockEvent(trx, { source: 'sis', eventId: event.eventId }))
  const { known: subjects } = await commitWhileBlocked(db, resent, lock)
  expect(subjects.uids.toSorted()).toEqual(['s2', 's3'])
})
