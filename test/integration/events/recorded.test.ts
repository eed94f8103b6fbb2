import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { eventErrorMessages } from '../../../src/services/events/settle.ts'
import { startApi } from '../../fixtures/api.ts'
import { bind, claim, newEvent, rebind, sendEvent, sendEvents } from '../../fixtures/signed-event.ts'
import { forFile } from '../../harness/for-file.ts'

/** What EVENT_SIGNING_SOURCES says. */
const sources = new Map<string, ReadonlySet<string>>()
const lines: string[] = []
const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) })
const api = forFile(() => startApi({ services: { signingSources: sources, log } }))
beforeAll(() => claim(api, api.units.b, 'sis'))
afterEach(async () => {
  sources.clear()
  await api.database.db.deleteFrom('event_binding').execute()
})

type As = { key?: string; session?: string }
const asA = () => ({ key: api.keys.a })
const asB = () => ({ key: api.keys.b })
const list = async (query: Record<string, string>, as: As = asA()) =>
  (await api.call('listRecordedEvents', { ...as, query })).body.items
const replay = (id: string, as: As = asA()) => api.call('replayRecordedEvent', { ...as, id })

/** A type of its own, bound in unit a, so that each test lists its own events. */
async function boundType(parts: object = {}) {
  const type = randomUUID()
  return { type, binding: await bind(api, { type, ...parts }) }
}

it('is found by the id that its source gave it, or by its message; and counts who is unknown', async () => {
  const { type } = await boundType()
  const [one, other] = [newEvent({ type, subjectUids: ['s1', 'nobody', 'nobody', 'no'] }), newEvent({ type })]
  const { items } = (await sendEvents(api, [one, other])).body
  expect(items).toMatchObject([{ unknownUids: 2 }, { unknownUids: 0 }])
  expect(await list({ type, eventId: one.eventId })).toMatchObject([{ eventId: one.eventId }])
  const { messageId } = items[1]
  expect(await list({ messageId: messageId.toUpperCase() })).toMatchObject([{ eventId: other.eventId }])
  expect(await list({ messageId: randomUUID() })).toEqual([])
})

describe('the answer to an event without a message', () => {
  it('names the variables that are missing, also when it is repeated', async () => {
    const { type } = await boundType()
    const event = newEvent({ type, data: { dya: 'Saturday' } })
    const failed = {
      ...{
        error: 'missing_variable',
        details: { variables: ['day'] },
        eventId: event.eventId,
        unknownUids: 0,
      },
      message: expect.stringMatching(/^data lacks required variables/),
    }
    const [{ body }, again] = [await sendEvents(api, [event, event]), (await list({ type }))[0]]
    expect(body.items).toEqual([
      { ...failed, duplicate: false },
      { ...failed, duplicate: true },
    ])
    expect(again).toMatchObject({ error: failed.error, details: failed.details, messageId: null })
  })

  it('names the violations of the text, without quoting it', async () => {
    const { type } = await boundType()
    const { body } = await sendEvent(api, newEvent({ type, data: { day: 'x'.repeat(5_001) } }))
    expect(body).toMatchObject({
      error: 'content_violation',
      details: { violations: [{ path: 'messages[0].text.zh-TW', code: 'too_long', limit: 5_000 }] },
    })
    expect((await list({ type }))[0].details).toEqual(body.details)
    expect(JSON.stringify(body)).not.toContain('xxx')
  })

  it('loses its details when the event is mended', async () => {
    const { type } = await boundType()
    const event = newEvent({ type, data: {} })
    await sendEvent(api, event)
    const { messageId } = (await sendEvent(api, { ...event, data: { day: 'Sunday' } })).body
    expect(await list({ type })).toMatchObject([{ error: null, details: null, messageId }])
  })
})

describe('recorded events', () => {
  it('are listed newest first, by source, type and error, a page at a time, without their data', async () => {
    const { type } = await boundType()
    const other = await boundType({ source: 'library' })
    const events = [newEvent({ type }), newEvent({ type, data: {} }), newEvent({ type, subjectUids: ['?'] })]
    for (const event of events) await sendEvent(api, event)
    await sendEvent(api, newEvent({ type: other.type }), { source: 'library' })
    const ids = events.map(({ eventId }) => eventId).toReversed()
    const all = await list({ type })
    expect(all.map(({ eventId }: { eventId: string }) => eventId)).toEqual(ids)
    expect(all[2]).toEqual({
      ...{
        id: expect.any(String),
        source: 'sis',
        eventId: ids[2],
        type,
        keyId: 'new',
        subjectCount: 1,
        unusedVariables: [],
        warnings: [],
      },
      ...{ occurredAt: '2026-11-20T01:00:00.000Z', receivedAt: expect.any(String) },
      ...{ messageId: expect.any(String), runs: null, error: null, details: null },
    })
    expect(await list({ type, error: 'no_subjects' })).toEqual([all[0]])
    expect(await list({ type, source: 'library' })).toEqual([])
    expect(await list({ source: 'library' })).toMatchObject([{ type: other.type }])
    const [fromLibrary, ...fromSis] = await list({ limit: '4' })
    expect([fromLibrary.type, fromSis]).toEqual([other.type, all])

    const first = (await api.call('listRecordedEvents', { ...asA(), query: { type, limit: '2' } })).body
    expect(first.items).toEqual(all.slice(0, 2))
    const query = { type, limit: '2', cursor: first.nextCursor }
    const second = (await api.call('listRecordedEvents', { ...asA(), query })).body
    expect(second).toEqual({ items: all.slice(2), nextCursor: null })
    expect((await api.call('getRecordedEvent', { ...asA(), id: all[1].id })).body).toEqual(all[1])
  })

  it('are those of the unit whose binding has the pair, before and after it makes messages', async () => {
    const type = randomUUID()
    await sendEvent(api, newEvent({ type }))
    expect(await list({ type })).toEqual([])
    await api.call('createEventBinding', {
      ...asB(),
      body: { source: 'sis', type, categoryId: 'news', audience: { kind: 'event_subjects' }, enabled: false },
    })
    const [item] = await list({ type }, asB())
    expect(item).toMatchObject({ error: 'no_binding' })
    await bind(api, { type })
    expect(await list({ type }, asB())).toEqual([])
    expect((await api.call('getRecordedEvent', { ...asB(), id: item.id })).code).toBe('not_found')
    expect((await replay(item.id, asB())).code).toBe('not_found')
    expect(await list({ type })).toEqual([item])
  })

  it('that made a message stay with its unit, whoever has the pair later', async () => {
    const { type, binding } = await boundType()
    await sendEvent(api, newEvent({ type }))
    const [item] = await list({ type })
    await rebind(api, binding, { type: randomUUID() })
    await api.call('createEventBinding', {
      ...asB(),
      body: { source: 'sis', type, categoryId: 'news', audience: { kind: 'event_subjects' } },
    })
    expect(await list({ type })).toEqual([item])
    expect(await list({ type }, asB())).toEqual([])
    expect((await api.call('getRecordedEvent', { ...asA(), id: item.id })).body).toEqual(item)
    expect((await api.call('getRecordedEvent', { ...asB(), id: item.id })).code).toBe('not_found')
  })

  it('of a key that may not raise their source are none', async () => {
    const { type } = await boundType()
    await sendEvent(api, newEvent({ type }), { keyId: 'old' })
    await sendEvent(api, newEvent({ type, data: {} }), { keyId: 'old' })
    const [, item] = await list({ type })
    sources.set('old', new Set(['library']))
    expect(await list({ type })).toEqual([])
    expect((await api.call('getRecordedEvent', { ...asA(), id: item.id })).code).toBe('not_found')
    sources.set('old', new Set(['sis']))
    expect(await list({ type })).toHaveLength(2)
  })
})

describe('a replay of one event', () => {
  it('makes its message with the binding in force, once, and is audited', async () => {
    const { type, binding } = await boundType({ templateId: null })
    const [one, other] = [newEvent({ type }), newEvent({ type })]
    for (const event of [one, other]) await sendEvent(api, event)
    await rebind(api, binding, { templateId: api.templates.approved })
    const [, { id }] = await list({ type })
    const { status, body } = await replay(id, { session: api.sessions.editor })
    expect([status, body]).toEqual([
      200,
      {
        accepted: true,
        duplicate: false,
        eventId: one.eventId,
        unknownUids: 0,
        messageId: expect.any(String),
      },
    ])
    expect((await replay(id)).body).toEqual({ ...body, duplicate: true })
    expect(await list({ type, error: 'no_template' })).toMatchObject([{ eventId: other.eventId }])
    const trail = api.database.db.selectFrom('audit').select(['unit_id', 'action', 'details'])
    expect(await trail.where('object_id', '=', id).execute()).toEqual([
      { unit_id: api.units.a, action: 'replay', details: { source: 'sis', eventId: one.eventId } },
    ])
  })

  it('returns what still is missing', async () => {
    const { type } = await boundType()
    await sendEvent(api, newEvent({ type, data: {} }))
    const [{ id, eventId }] = await list({ type })
    expect((await replay(id)).body).toEqual({
      ...{ error: 'missing_variable', details: { variables: ['day'] } },
      ...{ message: eventErrorMessages.missing_variable, eventId, unknownUids: 0, duplicate: false },
    })
  })
})

it('no line of the log contains the data of an event', async () => {
  const { type } = await boundType()
  const secret = `secret-${randomUUID()}`
  for (const data of [{ [secret]: 1 }, { day: secret.repeat(200) }]) {
    await sendEvent(api, newEvent({ type, data, subjectUids: ['s1', secret] }))
    const [{ id }] = await list({ type })
    await replay(id)
  }
  expect(lines.join()).not.toContain(secret)
})
