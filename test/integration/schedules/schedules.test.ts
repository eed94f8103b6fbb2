import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { bounds } from '../../../src/contract/limits.ts'
import { startApi } from '../../fixtures/api.ts'
import { newMessage } from '../../fixtures/new-message.ts'
import { newScenario } from '../../fixtures/new-scenario.ts'
import { newSchedule } from '../../fixtures/new-schedule.ts'
import { selectRow, updateRows } from '../../fixtures/rows.ts'
import { forFile } from '../../harness/for-file.ts'

const api = forFile(startApi)

const hour = 3_600_000
const inHours = (hours: number) => new Date(Date.now() + hours * hour).toISOString()
const create = (body: object, as: object = { key: api.keys.a }) =>
  api.call('createSchedule', { ...as, body: { ...newSchedule, ...body } })
const edit = (id: string, body: object, as: object = { key: api.keys.a }) =>
  api.call('editSchedule', { ...as, id, body })
const once = { type: 'once', cron: undefined }

describe('POST /v1/schedules', () => {
  it('creates a recurring schedule, which shows when it is due next', async () => {
    const { status, body } = await create({ cron: '0 9 * * 1', timeZone: 'America/New_York' })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      ...{ unitId: api.units.a, name: newSchedule.name, type: 'recurring', cron: '0 9 * * 1' },
      ...{ timeZone: 'America/New_York', at: null, delaySeconds: null, scenario: null, message: newMessage },
      ...{
        enabled: true,
        state: 'active',
        disabledReason: null,
        lastOccurrence: null,
        consecutiveFailures: 0,
      },
    })
    expect(body.nextTimes).toHaveLength(3)
    const days = body.nextTimes.map((at: string) =>
      new Date(at).toLocaleString('en', { timeZone: 'America/New_York', weekday: 'short', hour: 'numeric' }),
    )
    expect(new Set(days)).toEqual(new Set(['Mon 9 AM']))
    expect((await api.call('getSchedule', { key: api.keys.a, id: body.id })).body).toEqual(body)
  })

  it("takes the unit's time zone where none is given", async () => {
    expect((await create({})).body).toMatchObject({ timeZone: 'Asia/Taipei' })
  })

  it('creates one that fires once, and one that fires after a delay', async () => {
    const at = inHours(2)
    expect((await create({ ...once, at })).body).toMatchObject({ type: 'once', at, nextTimes: [at] })
    const { body } = await create({ type: 'delay', cron: undefined, delaySeconds: 3_600 })
    expect(body).toMatchObject({ type: 'delay', delaySeconds: 3_600, cron: null, timeZone: null })
    expect(Date.parse(body.nextTimes[0]) - Date.parse(body.createdAt)).toBeCloseTo(hour, -3)
  })

  it('is created disabled, and is then not due', async () => {
    const { body } = await create({ enabled: false })
    expect(body).toMatchObject({
      enabled: false,
      state: 'disabled',
      disabledReason: 'by_caller',
      nextTimes: [],
    })
  })

  it('returns the same schedule for a repeated key, and refuses another body under it, and a deleted one', async () => {
    const headers = { 'idempotency-key': randomUUID() }
    const first = await create({}, { key: api.keys.a, headers })
    const again = await create({}, { key: api.keys.a, headers })
    expect([first.status, again.status]).toEqual([201, 200])
    expect(again.body).toEqual(first.body)
    const other = await create({ name: 'another' }, { key: api.keys.a, headers })
    expect(other).toMatchObject({ status: 409, code: 'idempotency_mismatch' })
    expect((await create({}, { key: api.keys.b, headers })).status).toBe(201)
    await api.call('deleteSchedule', { key: api.keys.a, id: first.body.id })
    const deleted = await create({}, { key: api.keys.a, headers })
    expect(deleted).toMatchObject({ status: 409, code: 'invalid_transition' })
    expect(deleted.body.error.message).toContain('Use a new key')
    const together = { 'idempotency-key': randomUUID() }
    const both = await Promise.all([1, 2, 3].map(() => create({}, { key: api.keys.a, headers: together })))
    expect(new Set(both.map(({ body }) => body.id)).size).toBe(1)
    expect(both.map(({ status }) => status).sort()).toEqual([200, 200, 201])
  })

  it.each([
    ['no time', { cron: undefined }, 'cron', 'is required'],
    ['the time of another type', { at: inHours(1) }, 'at', 'must be omitted'],
    ['a past instant', { ...once, at: inHours(-1) }, 'at', 'must be in the future'],
    ['six fields', { cron: '0 0 9 * * *' }, 'cron', 'must have five fields'],
    ['four fields', { cron: '0 9 * *' }, 'cron', 'must have five fields'],
    ['a nickname', { cron: '@daily' }, 'cron', 'must have five fields'],
    ['a field out of range', { cron: '0 25 * * *' }, 'cron', 'must be a cron expression'],
    ['a day that never comes', { cron: '0 9 30 2 *' }, 'cron', 'must name a day of the calendar'],
    ['every minute', { cron: '* * * * *' }, 'cron', 'at least 5 minutes apart'],
    ['two close times', { cron: '0,4 9 * * *' }, 'cron', 'at least 5 minutes apart'],
    ['two close times around midnight', { cron: '58,0 23,0 * * *' }, 'cron', 'around midnight'],
    ['an unknown zone', { timeZone: 'Asia/Nowhere' }, 'timeZone', 'IANA'],
    ['neither a message nor a scenario', { message: undefined }, '', 'exactly one'],
    [
      'a reminder after the expiry',
      { message: { ...newMessage, remindAfterSeconds: 120, expiresAfterSeconds: 120 } },
      'message.remindAfterSeconds',
      'less than expiresAfterSeconds',
    ],
    ['an unknown category', { message: { ...newMessage, categoryId: 'x' } }, 'message.categoryId', 'enabled'],
    [
      'a template of another unit',
      { message: { ...newMessage, messages: undefined, templateId: randomUUID() } },
      'message.templateId',
      'template of the unit',
    ],
    ['an absolute time', { message: { ...newMessage, expiresAt: inHours(1) } }, 'message', 'expiresAt'],
  ])('rejects %s, and creates nothing', async (_what, body, path, message) => {
    const before = await count()
    const answer = await create(body)
    expect(answer.status).toBeGreaterThanOrEqual(400)
    const { issues } = answer.body.error.details
    expect(issues[0].path).toBe(path)
    expect(issues[0].message).toContain(message)
    expect(await count()).toBe(before)
  })

  it('needs the rights to what it makes now', async () => {
    const named = { message: { ...newMessage, audience: { kind: 'individual', uids: ['s1'] } } }
    expect((await create(named)).code).toBe('individual_targeting_disabled')
    expect((await create(named, { key: api.keys.individual })).status).toBe(201)
    const manual = { message: { ...newMessage, categoryId: 'manual' } }
    expect((await create(manual, { key: api.keys.restricted })).code).toBe('category_not_allowed')
  })

  it('takes a scenario whose version in force a person approved, and no other', async () => {
    const key = api.keys.a
    const scenario = (id: string, audience: object = { kind: 'query', roles: ['student'] }) =>
      create({ message: undefined, scenario: { scenarioId: id, audience } })
    const { id } = (await api.call('createScenario', { key, body: newScenario({ categoryId: 'manual' }) }))
      .body
    expect((await scenario(id)).code).toBe('invalid_transition')
    await api.call('putScenario', { key, id, body: { state: 'active' } })
    await api.call('approveScenario', { session: api.sessions.approver, id, body: { version: 1 } })
    const { status, body } = await scenario(id)
    expect(status).toBe(201)
    expect(body).toMatchObject({
      message: null,
      scenario: { scenarioId: id, audience: { roles: ['student'] } },
    })

    const automatic = (await api.call('createScenario', { key, body: newScenario() })).body.id
    await api.call('putScenario', { key, id: automatic, body: { state: 'active' } })
    expect((await scenario(automatic)).code).toBe('forbidden')
    expect((await scenario(randomUUID())).body.error.details.issues[0].path).toBe('scenario.scenarioId')
  })

  it(`allows a unit ${bounds.schedules.most} schedules that are not over`, async () => {
    const { db } = api.database
    const { id } = (await create({}, { key: api.keys.b })).body
    const there = await db.selectFrom('schedule').select('id').where('unit_id', '=', api.units.b).execute()
    const missing = bounds.schedules.most - there.length
    const {
      observed_version: _,
      id: __,
      ...row
    } = await db.selectFrom('schedule').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    const copy = { ...row, message: JSON.stringify(row.message), start: null, idempotency_key: null }
    await db
      .insertInto('schedule')
      .values(Array.from({ length: missing }, () => copy))
      .execute()
    expect(await create({}, { key: api.keys.b })).toMatchObject({ status: 400, code: 'validation_error' })
    await api.call('deleteSchedule', { key: api.keys.b, id })
    expect((await create({}, { key: api.keys.b })).status).toBe(201)
  })

  async function count(): Promise<number> {
    const rows = await api.database.db.selectFrom('schedule').select('id').execute()
    return rows.length
  }
})

describe('what callers see', () => {
  it('lists the schedules of the unit, newest first, and no others', async () => {
    const mine = (await create({ name: 'mine' })).body.id
    await create({ name: 'theirs' }, { key: api.keys.b })
    const { items } = (await api.call('listSchedules', { key: api.keys.a, query: { limit: '2' } })).body
    expect(items[0].id).toBe(mine)
    expect(new Set(items.map(({ unitId }: { unitId: string }) => unitId))).toEqual(new Set([api.units.a]))
    expect((await api.call('getSchedule', { key: api.keys.b, id: mine })).status).toBe(404)
    expect((await api.call('listOccurrences', { key: api.keys.b, id: mine })).status).toBe(404)
  })

  it('shows whom a personal message names, and its text, to few', async () => {
    const audience = { kind: 'individual', uids: ['s1', 's2'] }
    const { id } = (await create({ message: { ...newMessage, audience } }, { key: api.keys.individual })).body
    const messageFor = async (as: object) => (await api.call('getSchedule', { ...as, id })).body.message
    expect(await messageFor({ key: api.keys.individual })).toEqual({
      ...newMessage,
      audience: { kind: 'individual', count: 2, uids: ['s1', 's2'] },
    })
    expect((await messageFor({ session: api.sessions.approver })).messages).toEqual(newMessage.messages)
    expect(await messageFor({ key: api.keys.a })).toEqual({
      categoryId: newMessage.categoryId,
      audience: { kind: 'individual', count: 2 },
    })
  })
})

describe('PATCH and DELETE /v1/schedules/{id}', () => {
  it('disables and enables it, and counts a delay anew', async () => {
    const { id, nextTimes } = (await create({ type: 'delay', cron: undefined, delaySeconds: 60 })).body
    expect((await edit(id, { enabled: false })).body).toMatchObject({ state: 'disabled', nextTimes: [] })
    const { body } = await edit(id, { enabled: true })
    expect(body).toMatchObject({ state: 'active', disabledReason: null })
    expect(Date.parse(body.nextTimes[0])).toBeGreaterThan(Date.parse(nextTimes[0]))
  })

  it('changes when it is due, and leaves the other fields', async () => {
    const { id } = (await create({ timeZone: 'Europe/Berlin' })).body
    const { body } = await edit(id, { cron: '30 8 * * *' })
    expect(body).toMatchObject({ cron: '30 8 * * *', timeZone: 'Europe/Berlin', message: newMessage })
    expect((await edit(id, { cron: '* * * * *' })).code).toBe('validation_error')
    expect((await edit(id, { at: inHours(1) })).code).toBe('validation_error')
    expect((await edit(id, { scenario: { scenarioId: randomUUID(), audience: { kind: 'all' } } })).code).toBe(
      'validation_error',
    )
    expect((await edit(id, {})).code).toBe('validation_error')
    expect((await api.call('getSchedule', { key: api.keys.a, id })).body).toEqual(body)
  })

  it('makes who changes what it makes the one it acts for, and not who renames or disables it', async () => {
    const { id } = (await create({})).body
    const session = api.sessions.editor
    await edit(id, { name: 'renamed', enabled: false }, { session })
    expect((await edit(id, { enabled: true }, { session })).body.actsFor.id).toMatch(/^key:/)
    const changed = await edit(id, { message: { ...newMessage, reference: 'x' } }, { session })
    expect(changed.body).toMatchObject({ name: 'renamed', actsFor: { name: 'Editor' } })
    expect(changed.body.createdBy.id).toMatch(/^key:/)
  })

  it('needs the rights to the rest of it, too', async () => {
    const audience = { kind: 'individual', uids: ['s1'] }
    const { id } = (await create({ message: { ...newMessage, audience } }, { key: api.keys.individual })).body
    expect((await edit(id, { cron: '0 8 * * *' })).code).toBe('individual_targeting_disabled')
    expect((await edit(id, { enabled: false })).status).toBe(200)
  })

  it('refuses changes of one that is over, and deletes it', async () => {
    const { id } = (await create({ ...once, at: inHours(1) })).body
    await api.database.db
      .updateTable('schedule')
      .set({ state: 'finished', closed_at: new Date(), next_at: null })
      .where('id', '=', id)
      .execute()
    expect(await edit(id, { enabled: true })).toMatchObject({ status: 409, code: 'invalid_transition' })
    expect((await api.call('deleteSchedule', { key: api.keys.a, id })).body).toEqual({ deleted: true })
    for (const operation of ['getSchedule', 'deleteSchedule', 'listOccurrences'] as const)
      expect((await api.call(operation, { key: api.keys.a, id })).status).toBe(404)
    const row = await selectRow(api.database.db, 'schedule', { id }, ['message'])
    expect(row.message).toEqual({})
  })

  it('cannot enable one whose instant has passed', async () => {
    const { id } = (await create({ ...once, at: inHours(1), enabled: false })).body
    await updateRows(api.database.db, 'schedule', { id }, { at: new Date(Date.now() - hour) })
    expect((await edit(id, { enabled: true })).body.error.details.issues[0].path).toBe('at')
    expect((await edit(id, { enabled: true, at: inHours(1) })).body.state).toBe('active')
  })
})
