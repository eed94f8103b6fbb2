import { sql } from 'kysely'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { revokeKey } from '../../../src/db/queries/identity/key.ts'
import { makeOccurrence } from '../../../src/services/schedules/make-occurrence.ts'
import { requestOfSchedule } from '../../../src/services/schedules/request.ts'
import { type Api, startApi } from '../../fixtures/api.ts'
import { newMessage } from '../../fixtures/new-message.ts'
import { newScenario } from '../../fixtures/new-scenario.ts'
import { newSchedule } from '../../fixtures/new-schedule.ts'
import { makeDueAt, occurrencesOf, scheduleRow } from '../../fixtures/schedule-rows.ts'
import { forFile } from '../../harness/for-file.ts'

const woken: string[] = []
const api = forFile(() =>
  startApi({
    services: {
      wake: (kind, id, told) => void woken.push(`${kind} ${id} ${told.map(({ name }) => name).join(' ')}`),
    },
  }),
)
beforeAll(async () => {
  await sql`update quota_default set monthly_limit = 100000`.execute(api.database.db)
})
beforeEach(() => void woken.splice(0))
afterEach(async () => {
  await sql`delete from schedule`.execute(api.database.db)
})

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
/** The last time at which a daily schedule would have been due, so long ago at least. */
const ago = (ms: number) => new Date(Math.floor((Date.now() - ms) / minute) * minute)

const create = async (body: object = {}, key = api.keys.a) => {
  const answer = await api.call('createSchedule', { key, body: { ...newSchedule, ...body } })
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body))
  return answer.body.id as string
}
const get = async (id: string) => (await api.call('getSchedule', { key: api.keys.a, id })).body
/** Makes it due at this time of day, from then on daily. */
async function dailySince(id: string, at: Date): Promise<void> {
  const cron = `${at.getUTCMinutes()} ${at.getUTCHours()} * * *`
  const { db } = api.database
  await db.updateTable('schedule').set({ cron, time_zone: 'UTC' }).where('id', '=', id).execute()
  await makeDueAt(db, id, at)
}
const make = (id: string) => makeOccurrence(api.services, id)
const messagesOf = (id: string) =>
  api.database.db.selectFrom('message').selectAll().where('created_by', '=', `schedule:${id}`).execute()

describe('an occurrence', () => {
  it('makes its message, submits it, and asks the automatic check', async () => {
    const id = await create({
      message: {
        ...{ categoryId: 'news', templateId: api.templates.approved, variables: { day: '週一' } },
        ...{ audience: newMessage.audience, reference: 'weekly' },
        ...{ remindAfterSeconds: 3_600, expiresAfterSeconds: 7_200 },
      },
    })
    const due = ago(minute)
    await dailySince(id, due)
    await make(id)
    const [message, ...others] = await messagesOf(id)
    expect(others).toEqual([])
    expect(message).toMatchObject({ state: 'approved', origin: 'schedule', reference: 'weekly' })
    expect(message!.remind_at).toEqual(new Date(due.getTime() + hour))
    expect(message!.expires_at).toEqual(new Date(due.getTime() + 2 * hour))
    expect(woken).toContain(`message ${message!.id} submitted approved`)

    const { items } = (await api.call('listOccurrences', { key: api.keys.a, id })).body
    const occurrence = { outcome: 'created', messageId: message!.id, runs: null, reason: null, error: null }
    expect(items).toMatchObject([{ ...occurrence, dueAt: due.toISOString() }])
    expect(await get(id)).toMatchObject({
      ...{ state: 'active', consecutiveFailures: 0, lastOccurrence: items[0] },
      nextTimes: [1, 2, 3].map((days) => new Date(due.getTime() + days * day).toISOString()),
    })
  })

  it('is named by its message, whose authors are those of the schedule', async () => {
    const id = await create({ message: { ...newMessage, categoryId: 'manual' } })
    await dailySince(id, ago(minute))
    const session = api.sessions.approver
    await api.call('editSchedule', {
      session,
      id,
      body: { message: { ...newMessage, categoryId: 'manual' } },
    })
    await api.call('editSchedule', {
      session,
      id,
      body: { message: { ...newMessage, categoryId: 'manual', reference: 'x' } },
    })
    await makeDueAt(api.database.db, id, ago(0))
    await make(id)
    const [message] = await messagesOf(id)
    const detail = (await api.call('getMessage', { session, id: message!.id })).body
    expect(detail).toMatchObject({
      ...{ state: 'submitted', origin: 'schedule', review: { reason: 'category_not_auto' } },
      author: { id: `schedule:${id}`, name: newSchedule.name },
    })
    expect(detail.allowed.approve).toMatchObject({ code: 'self_approval' })
    expect(detail.timeline.map(({ by }: { by: { name: string } }) => by.name)).toContain(newSchedule.name)
  })

  it('is made once, by however many workers', async () => {
    const id = await create()
    await dailySince(id, ago(minute))
    await Promise.all(Array.from({ length: 5 }, () => make(id)))
    expect(await messagesOf(id)).toHaveLength(1)
    expect(await occurrencesOf(api.database.db, id)).toHaveLength(1)
  })

  it('is not made again when its schedule is due again at the same wall time', async () => {
    const id = await create()
    const due = ago(minute)
    await dailySince(id, due)
    await make(id)
    await makeDueAt(api.database.db, id, due)
    await make(id)
    expect(await messagesOf(id)).toHaveLength(1)
    expect((await get(id)).nextTimes[0]).toBe(new Date(due.getTime() + day).toISOString())
  })

  it('of a schedule that fires once is the last', async () => {
    const id = await create({ type: 'delay', cron: undefined, delaySeconds: 3_600 })
    await makeDueAt(api.database.db, id, ago(0))
    await make(id)
    expect(await get(id)).toMatchObject({
      state: 'finished',
      enabled: false,
      nextTimes: [],
      lastOccurrence: { outcome: 'created' },
    })
    const changed = await api.call('editSchedule', { key: api.keys.a, id, body: { enabled: true } })
    expect(changed.code).toBe('invalid_transition')
  })

  it('makes nothing before it is due, while the schedule is disabled, or once it is deleted', async () => {
    const id = await create()
    await make(id)
    await dailySince(id, ago(minute))
    await api.call('editSchedule', { key: api.keys.a, id, body: { enabled: false } })
    await make(id)
    await api.call('deleteSchedule', { key: api.keys.a, id })
    await make(id)
    expect(await occurrencesOf(api.database.db, id)).toMatchObject([{ outcome: 'missed', reason: 'changed' }])
    expect(await messagesOf(id)).toEqual([])
  })

  it('starts runs of a scenario, for those who have none', async () => {
    const key = api.keys.a
    const scenario = (await api.call('createScenario', { key, body: newScenario({ categoryId: 'manual' }) }))
      .body.id
    await api.call('putScenario', { key, id: scenario, body: { state: 'active' } })
    await api.call('approveScenario', { session: api.sessions.approver, id: scenario, body: { version: 1 } })
    const audience = { kind: 'query', roles: ['student'] }
    const id = await create({ message: undefined, scenario: { scenarioId: scenario, audience } })
    for (const minutes of [2, 1]) {
      await dailySince(id, ago(minutes * minute))
      await make(id)
    }
    const started = await api.database.db.selectFrom('scenario_run').selectAll().execute()
    expect(started.map(({ started_by }) => started_by)).toEqual(Array(3).fill(`schedule:${id}`))
    expect((await occurrencesOf(api.database.db, id)).map(({ runs }) => runs)).toEqual([3, 0])
    expect(woken.filter((one) => one.startsWith('scenario '))).toHaveLength(3)

    await api.call('putScenario', { session: api.sessions.approver, id: scenario, body: { state: 'paused' } })
    await dailySince(id, ago(0))
    await make(id)
    expect((await get(id)).lastOccurrence).toMatchObject({
      outcome: 'failed',
      error: { code: 'invalid_transition' },
    })
  })
})

describe('a missed occurrence', () => {
  it('is made up if it is less than an hour late', async () => {
    const id = await create()
    await dailySince(id, ago(59 * minute))
    await make(id)
    expect(await messagesOf(id)).toHaveLength(1)
  })

  it('is recorded if it is later, and so is each before it', async () => {
    const id = await create()
    const due = ago(2 * day + hour)
    await dailySince(id, due)
    await make(id)
    expect(await messagesOf(id)).toEqual([])
    const missed = await occurrencesOf(api.database.db, id)
    expect(missed.map(({ due_at }) => due_at)).toEqual(
      [0, 1, 2].map((days) => new Date(due.getTime() + days * day)),
    )
    expect(missed.map(({ reason }) => reason)).toEqual(['late', 'late', 'late'])
    expect(await get(id)).toMatchObject({
      state: 'active',
      consecutiveFailures: 0,
      lastOccurrence: { outcome: 'missed' },
    })
    expect((await get(id)).nextTimes[0]).toBe(new Date(due.getTime() + 3 * day).toISOString())
  })

  it('is superseded by a later one that is due too: only the newest is made up', async () => {
    const id = await create({ cron: '*/10 * * * *' })
    await makeDueAt(
      api.database.db,
      id,
      new Date(Math.floor(Date.now() / (10 * minute)) * 10 * minute - 30 * minute),
    )
    await make(id)
    const occurrences = await occurrencesOf(api.database.db, id)
    expect(occurrences.map(({ outcome, reason }) => reason ?? outcome)).toEqual([
      ...['superseded', 'superseded', 'superseded', 'created'],
    ])
    expect(await messagesOf(id)).toHaveLength(1)
  })

  it('is not made up when its message has expired since', async () => {
    const id = await create({ message: { ...newMessage, expiresAfterSeconds: 60 } })
    await dailySince(id, ago(3 * minute))
    await make(id)
    expect(await messagesOf(id)).toEqual([])
    expect((await get(id)).lastOccurrence).toMatchObject({ outcome: 'missed', reason: 'late' })
  })

  it('takes several steps after a long time, and none is left out', async () => {
    const id = await create({ cron: '*/5 * * * *', timeZone: 'UTC' })
    const since = new Date(Math.floor((Date.now() - 4 * day) / (5 * minute)) * 5 * minute)
    await makeDueAt(api.database.db, id, since)
    await make(id)
    expect(await occurrencesOf(api.database.db, id)).toHaveLength(500)
    while ((await scheduleRow(api.database.db, id)).next_at! <= new Date()) await make(id)
    const occurrences = await occurrencesOf(api.database.db, id)
    const due = occurrences.map(({ due_at }) => due_at.getTime())
    expect(due).toEqual(due.map((_, place) => since.getTime() + place * 5 * minute))
    expect(due.at(-1)).toBeGreaterThan(Date.now() - 6 * minute)
    expect(occurrences.filter(({ outcome }) => outcome === 'created')).toHaveLength(1)
  })

  it('that does not recur ends its schedule', async () => {
    const id = await create({ type: 'delay', cron: undefined, delaySeconds: 3_600 })
    await makeDueAt(api.database.db, id, ago(2 * hour))
    await make(id)
    expect(await get(id)).toMatchObject({ state: 'finished', lastOccurrence: { outcome: 'missed' } })
  })
})

describe('an occurrence that is due when its schedule changes', () => {
  const edit = async (id: string, body: object) => {
    const answer = await api.call('editSchedule', { key: api.keys.a, id, body })
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
    return answer.body
  }
  const reasonsOf = async (id: string) =>
    (await occurrencesOf(api.database.db, id)).map(({ outcome, reason }) => reason ?? outcome)
  const changed = { outcome: 'missed', reason: 'changed', messageId: null, error: null }

  it.each([{ enabled: false }, { cron: '30 8 * * *' }, { timeZone: 'Europe/Berlin' }])(
    'is missed, and shown at once: %j',
    async (body) => {
      const id = await create()
      const due = ago(minute)
      await dailySince(id, due)
      expect((await edit(id, body)).lastOccurrence).toMatchObject({ ...changed, dueAt: due.toISOString() })
      await edit(id, { enabled: true })
      await make(id)
      expect(await messagesOf(id)).toEqual([])
      expect(Date.parse((await get(id)).nextTimes[0])).toBeGreaterThan(Date.now())
      expect(await get(id)).toMatchObject({ state: 'active', consecutiveFailures: 0 })
    },
  )

  it('is missed when one that does not recur is given another time', async () => {
    const id = await create({ type: 'once', cron: undefined, at: new Date(Date.now() + hour).toISOString() })
    const due = ago(minute)
    const { db } = api.database
    await db.updateTable('schedule').set({ at: due }).where('id', '=', id).execute()
    await makeDueAt(db, id, due)
    const at = new Date(Date.now() + 2 * hour).toISOString()
    expect(await edit(id, { at })).toMatchObject({
      state: 'active',
      nextTimes: [at],
      lastOccurrence: changed,
    })
  })

  it('is made if only the name or the content changes, with the new content', async () => {
    const id = await create()
    await dailySince(id, ago(minute))
    expect(
      (await edit(id, { name: '新名稱', message: { ...newMessage, reference: 'new' } })).lastOccurrence,
    ).toBeNull()
    await make(id)
    expect(await messagesOf(id)).toMatchObject([{ reference: 'new' }])
  })

  it('comes after those before it, which were late or superseded', async () => {
    const id = await create()
    await dailySince(id, ago(2 * day))
    await edit(id, { enabled: false })
    expect((await reasonsOf(id)).slice(0, 2)).toEqual(['late', 'late'])
    const often = await create({ cron: '*/10 * * * *', timeZone: 'UTC' })
    const since = Math.floor(Date.now() / (10 * minute)) * 10 * minute - 20 * minute
    await makeDueAt(api.database.db, often, new Date(since))
    await edit(often, { cron: '5 * * * *' })
    expect(await reasonsOf(often)).toEqual(['superseded', 'superseded', 'changed'])
    const ages = await create({ cron: '*/5 * * * *', timeZone: 'UTC' })
    const start = Math.floor((Date.now() - 3 * day) / (5 * minute)) * 5 * minute
    await makeDueAt(api.database.db, ages, new Date(start))
    await edit(ages, { enabled: false })
    const due = (await occurrencesOf(api.database.db, ages)).map(({ due_at }) => due_at.getTime())
    expect(due.length).toBeGreaterThan(800)
    expect(due).toEqual(due.map((_, place) => start + place * 5 * minute))
  })

  it('is missed when the schedule is deleted, or disabled in the Temporal UI', async () => {
    const [deleted, disabled] = [await create(), await create()]
    for (const id of [deleted, disabled]) await dailySince(id, ago(minute))
    await api.call('deleteSchedule', { key: api.keys.a, id: deleted })
    await requestOfSchedule(api.services, disabled, 'cancel')
    for (const id of [deleted, disabled]) expect(await reasonsOf(id)).toEqual(['changed'])
  })
})

describe('an occurrence that makes nothing', () => {
  const noticesOf = (id: string) =>
    api.database.db
      .selectFrom('notice')
      .selectAll()
      .where('schedule_id', '=', id)
      .orderBy('created_at')
      .execute()

  it('is refused if who wrote the schedule has lost the rights, and approvers are told', async () => {
    const key = await api.newKey(api.units.a)
    const id = await create({}, key)
    await dailySince(id, ago(minute))
    await revokeKey(api.database.db, key.split('_')[1]!)
    await make(id)
    expect(await messagesOf(id)).toEqual([])
    expect(await get(id)).toMatchObject({
      ...{ state: 'active', consecutiveFailures: 1 },
      lastOccurrence: { outcome: 'refused', error: { code: 'invalid_credential' } },
    })
    expect((await noticesOf(id)).map(({ reason }) => reason)).toEqual(['refused'])
  })

  it('is refused if the key may no longer use the category, or the person is no editor any more', async () => {
    const { db } = api.database
    const key = await api.newKey(api.units.a)
    const byKey = await create({}, key)
    await sql`update producer_key set categories = '{manual}' where id = ${key.split('_')[1]!}`.execute(db)
    const session = await api.newSession('twoUnits')
    const body = { ...newSchedule, unitId: api.units.a }
    const byPerson = (await api.call('createSchedule', { session, body })).body.id
    await sql`
      delete from member using person where person.id = person_id and person.name = 'Two units' and unit_id = ${api.units.a}
    `.execute(db)
    for (const id of [byKey, byPerson]) {
      await dailySince(id, ago(minute))
      await make(id)
    }
    expect((await get(byKey)).lastOccurrence).toMatchObject({
      outcome: 'refused',
      error: { code: 'category_not_allowed' },
    })
    expect((await get(byPerson)).lastOccurrence).toMatchObject({
      outcome: 'refused',
      error: { code: 'forbidden' },
    })
  })

  it('disables its schedule the third time in a row, and says so', async () => {
    const { db } = api.database
    const id = await create({ message: { ...newMessage, topicId: api.topics.active } })
    await db.updateTable('topic').set({ status: 'inactive' }).where('id', '=', api.topics.active).execute()
    for (const minutes of [5, 4]) {
      await dailySince(id, ago(minutes * minute))
      await make(id)
    }
    expect(await get(id)).toMatchObject({ state: 'active', consecutiveFailures: 2 })
    await dailySince(id, ago(3 * minute))
    await make(id)
    expect(await get(id)).toMatchObject({
      ...{ state: 'disabled', disabledReason: 'failures', consecutiveFailures: 3, nextTimes: [] },
      lastOccurrence: { outcome: 'failed', error: { code: 'topic_inactive' } },
    })
    expect((await noticesOf(id)).map(({ reason }) => reason)).toEqual(['failed', 'failed', 'switched_off'])
    const query = { objectKind: 'schedule', objectId: id }
    const { items } = (await api.call('listAudit', { session: api.sessions.approver, query })).body
    expect(items[0]).toMatchObject({ action: 'disable', by: { id: 'system:run' } })

    await db.updateTable('topic').set({ status: 'active' }).where('id', '=', api.topics.active).execute()
    await api.call('editSchedule', { key: api.keys.a, id, body: { enabled: true } })
    expect(await get(id)).toMatchObject({ state: 'active', consecutiveFailures: 0, disabledReason: null })
  })

  it('counts failures in a row only', async () => {
    const id = await create({ message: { ...newMessage, topicId: api.topics.active } })
    const { db } = api.database
    for (const [minutes, status] of [
      [5, 'inactive'],
      [4, 'inactive'],
      [3, 'active'],
      [2, 'inactive'],
    ] as const) {
      await db.updateTable('topic').set({ status }).where('id', '=', api.topics.active).execute()
      await dailySince(id, ago(minutes * minute))
      await make(id)
    }
    await db.updateTable('topic').set({ status: 'active' }).where('id', '=', api.topics.active).execute()
    expect(await get(id)).toMatchObject({ state: 'active', consecutiveFailures: 1 })
  })

  it('leaves nothing of the message behind', async () => {
    const { db } = api.database
    const id = await create({
      message: { ...newMessage, messages: [{ kind: 'text', text: { 'zh-TW': '長'.repeat(9_000) } }] },
    })
    const audits = () => db.selectFrom('audit').select('id').where('object_kind', '=', 'message').execute()
    const before = (await audits()).length
    await dailySince(id, ago(minute))
    await make(id)
    const violations = [{ path: 'messages[0].text.zh-TW', code: 'too_long', limit: 5_000 }]
    expect((await get(id)).lastOccurrence).toMatchObject({
      ...{ outcome: 'failed', error: { code: 'content_violation', details: { violations } } },
    })
    expect(await messagesOf(id)).toEqual([])
    expect((await audits()).length).toBe(before)
  })

  it('is tried again if an error passes by itself', async () => {
    const { db } = api.database
    const id = await create()
    await dailySince(id, ago(minute))
    const failing = { ...api.services, channels: null } as unknown as Api['services']
    await expect(makeOccurrence(failing, id)).rejects.toThrow()
    expect(await occurrencesOf(db, id)).toEqual([])
    await make(id)
    expect((await get(id)).lastOccurrence.outcome).toBe('created')
  })
})
