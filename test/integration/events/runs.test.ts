import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, it } from 'vitest'
import { limits } from '../../../src/contract/limits.ts'
import { eventData } from '../../../src/db/queries/retention/retention.ts'
import { eventErrorMessages, settleNextEvent } from '../../../src/services/events/settle.ts'
import { startApi } from '../../fixtures/api.ts'
import { insertRow, selectRow, updateRows } from '../../fixtures/rows.ts'
import {
  type InsertedScenario,
  insertScenario,
  insertScenarioRun,
  type ScenarioPlan,
} from '../../fixtures/scenario-rows.ts'
import { bind, newEvent, sendEvent, sendEvents } from '../../fixtures/signed-event.ts'
import { forFile } from '../../harness/for-file.ts'

const woken: string[] = []
const api = forFile(() =>
  startApi({ services: { wake: (kind, id) => void (kind === 'scenario' && woken.push(id)) } }),
)
afterEach(async () => {
  woken.length = 0
  const { db } = api.database
  await db.deleteFrom('event_binding').execute()
  await db.deleteFrom('event').execute()
  await db.updateTable('scenario_run').set({ state: 'done', closed_at: new Date() }).execute()
})

const asA = () => ({ key: api.keys.a })
const approver = () => ({ session: api.sessions.approver })

function scenario(planned: ScenarioPlan = {}): Promise<InsertedScenario> {
  return insertScenario(api.database.db, { unitId: api.units.a, categoryId: 'news', ...planned })
}

/** Binds the events of `newEvent` to a scenario. */
function bindScenario({ id }: InsertedScenario, parts: object = {}) {
  return bind(api, { templateId: null, scenarioId: id, ...parts })
}

async function bound(planned: ScenarioPlan = {}, parts: object = {}) {
  const started = await scenario(planned)
  return { scenario: started, binding: await bindScenario(started, parts) }
}

function create(parts: object) {
  const audience = { kind: 'event_subjects' }
  const body = { source: 'sis', type: randomUUID(), categoryId: 'news', audience, ...parts }
  return api.call('createEventBinding', { ...asA(), body })
}

function runsOf({ id }: InsertedScenario) {
  return api.database.db
    .selectFrom('scenario_run as run')
    .innerJoin('subject', 'subject.id', 'run.subject_id')
    .leftJoin('scenario_start as start', 'start.id', 'run.start_id')
    .select(['run.id', 'uid', 'occasion', 'started_by', 'start.variables'])
    .where('run.scenario_id', '=', id)
    .orderBy('uid')
    .execute()
}

const change = (id: string, set: object) =>
  api.database.db.updateTable('scenario').set(set).where('id', '=', id).execute()

async function recorded(type = 'course.moved') {
  return (await api.call('listRecordedEvents', { ...asA(), query: { type } })).body.items
}

const declared = { content: { variables: [{ name: 'day', required: true }] } }

describe('an event of a binding with a scenario', () => {
  it('starts a run for each known subject, wakes it, and answers how many', async () => {
    const { scenario } = await bound(declared)
    const event = newEvent({
      subjectUids: ['s1', 's2', 'nobody'],
      data: { day: '週六', other: 1, person: 'x' },
    })
    const { status, body } = await sendEvent(api, event)
    expect([status, body]).toEqual([
      202,
      { accepted: true, duplicate: false, eventId: event.eventId, unknownUids: 1, messageId: null, runs: 2 },
    ])
    const runs = await runsOf(scenario)
    const same = { occasion: '', started_by: 'event:sis', variables: { day: '週六' } }
    expect(runs).toMatchObject([
      { uid: 's1', ...same },
      { uid: 's2', ...same },
    ])
    expect(woken.toSorted()).toEqual(runs.map(({ id }) => id).toSorted())
    expect(await recorded()).toMatchObject([
      { eventId: event.eventId, messageId: null, runs: 2, error: null },
    ])
    const audit = { query: { objectKind: 'scenario', objectId: scenario.id } }
    expect((await api.call('listAudit', { ...approver(), ...audit })).body.items).toMatchObject([
      { by: { id: 'event:sis' }, action: 'start_runs', details: { started: 2, alreadyRunning: 0 } },
    ])
  })

  it('starts once: a repeat, newly signed or replayed, gets the first answer', async () => {
    const { scenario, binding } = await bound()
    const event = newEvent()
    const [{ body: first }, { body: second }] = [
      await sendEvents(api, [event, event]),
      await sendEvent(api, event),
    ]
    const answer = { accepted: true, eventId: event.eventId, unknownUids: 0, messageId: null, runs: 1 }
    expect(first.items).toEqual([
      { ...answer, duplicate: false },
      { ...answer, duplicate: true },
    ])
    expect(second).toEqual({ ...answer, duplicate: true })
    const [{ id }] = await recorded()
    expect((await api.call('replayRecordedEvent', { ...asA(), id })).body).toEqual(second)
    const replay = await api.call('replayEventBinding', { ...asA(), id: binding })
    expect(replay.body).toEqual({ events: 0, messages: 0, runs: 0, errors: {}, waiting: 0 })
    expect(await runsOf(scenario)).toHaveLength(1)
  })

  it('by ten requests at once starts once', async () => {
    const { scenario } = await bound({}, { runPer: 'event' })
    const event = newEvent()
    const answers = await Promise.all(Array.from({ length: 10 }, () => sendEvent(api, event)))
    expect(answers.map(({ body }) => body.runs)).toEqual(Array(10).fill(1))
    expect(answers.filter(({ body }) => !body.duplicate)).toHaveLength(1)
    expect(await runsOf(scenario)).toHaveLength(1)
  })

  it('leaves an open run as it is, and with runPer event begins another beside it', async () => {
    const { scenario, binding } = await bound()
    expect((await sendEvent(api, newEvent())).body).toMatchObject({ runs: 1 })
    expect((await sendEvent(api, newEvent())).body).toMatchObject({ accepted: true, runs: 0 })
    await api.call('updateEventBinding', { ...asA(), id: binding, body: { runPer: 'event' } })
    expect((await sendEvent(api, newEvent())).body).toMatchObject({ runs: 0 })
    const approved = await api.call('approveEventBinding', { ...approver(), id: binding })
    expect(approved.body).toMatchObject({ scenarioId: scenario.id, runPer: 'event' })
    for (const _ of [1, 2]) expect((await sendEvent(api, newEvent())).body).toMatchObject({ runs: 1 })
    const events = await recorded()
    expect((await runsOf(scenario)).map(({ occasion }) => occasion).sort()).toEqual(
      ['', `event:${events[0].id}`, `event:${events[1].id}`].sort(),
    )
  })

  it('leaves out who may not be told, and says how many in the audit log', async () => {
    const { scenario } = await bound()
    const subject = await api.database.db
      .insertInto('subject')
      .values({ uid: randomUUID(), roles: ['student'], stage: 'member' })
      .returning(['id', 'uid'])
      .executeTakeFirstOrThrow()
    const event = newEvent({ subjectUids: ['s1', subject.uid] })
    expect((await sendEvent(api, event)).body).toMatchObject({ runs: 1 })
    const audit = { query: { objectKind: 'scenario', objectId: scenario.id } }
    expect((await api.call('listAudit', { ...approver(), ...audit })).body.items).toMatchObject([
      { details: { started: 1, excluded: { noAddress: 1 } } },
    ])
    const acquired = await selectRow(api.database.db, 'subject', { id: subject.id }, ['acquisition_source'])
    expect(acquired.acquisition_source).toBe('event:sis')
  })

  it('that a request did not finish is started by a worker', async () => {
    const { scenario } = await bound()
    const event = newEvent()
    await insertRow(api.database.db, 'event', {
      ...{
        source: 'sis',
        event_id: event.eventId,
        type: event.type,
        occurred_at: new Date(),
        key_id: 'new',
      },
      ...{ subject_uids: ['s1'], data: '{}', next_try_at: new Date(0) },
    })
    expect(await settleNextEvent(api.services)).toBe(true)
    expect(await settleNextEvent(api.services)).toBe(false)
    expect(await runsOf(scenario)).toHaveLength(1)
    expect(await sendEvent(api, event)).toMatchObject({ body: { duplicate: true, runs: 1 } })
  })

  it('keeps its data no longer than one with a message', async () => {
    await bound()
    await sendEvent(api, newEvent())
    const tomorrow = new Date(Date.now() + 86_400_000)
    expect(await eventData.slice(api.database.db, tomorrow, 100)).toBeGreaterThan(0)
    expect(await recorded()).toMatchObject([{ subjectCount: 0, runs: 1 }])
  })
})

describe('an event that starts nothing', () => {
  it.each([
    ['is paused', { state: 'paused' }],
    ['is retired', { state: 'retired' }],
  ])(
    'because its scenario %s is recorded with no_scenario, and starts when it is replayed',
    async (_what, state) => {
      const { scenario, binding } = await bound()
      await change(scenario.id, state)
      const event = newEvent()
      const { eventId } = event
      const message = eventErrorMessages.no_scenario
      const failed = { error: 'no_scenario', message, eventId, unknownUids: 0, duplicate: false }
      expect((await sendEvent(api, event)).body).toEqual(failed)
      expect(await recorded()).toMatchObject([{ error: 'no_scenario', runs: null, messageId: null }])
      await change(scenario.id, { state: 'active' })
      const replay = await api.call('replayEventBinding', { ...asA(), id: binding })
      expect(replay.body).toEqual({ events: 1, messages: 0, runs: 1, errors: {}, waiting: 0 })
    },
  )

  it('has no_scenario too before a version is in force, and after it moved to another category', async () => {
    const draft = await scenario({ state: 'draft' })
    const id = await bindScenario(draft)
    await api.call('approveEventBinding', { ...approver(), id })
    expect((await sendEvent(api, newEvent())).body).toMatchObject({ error: 'no_scenario' })
    await change(draft.id, { state: 'active' })
    const version = api.database.db.updateTable('scenario_version').where('scenario_id', '=', draft.id)
    await version.set({ state: 'in_force', category_id: 'manual' }).execute()
    expect((await sendEvent(api, newEvent())).body).toMatchObject({ error: 'no_scenario' })
    await version.set({ category_id: 'news' }).execute()
    expect((await sendEvent(api, newEvent())).body).toMatchObject({ runs: 1 })
  })

  it('names the variables that are missing, and takes those that are mended', async () => {
    await bound(declared)
    const event = newEvent({ data: { dya: 'Saturday' } })
    expect((await sendEvent(api, event)).body).toMatchObject({
      error: 'missing_variable',
      details: { variables: ['day'] },
    })
    expect((await sendEvent(api, { ...event, data: { day: 'Sunday' } })).body).toMatchObject({ runs: 1 })
  })

  it('has content_violation for variables that are too large', async () => {
    await bound(declared)
    const data = { day: 'x'.repeat(limits.runVariablesBytes) }
    const { body } = await sendEvent(api, newEvent({ data }))
    const en = expect.stringMatching(/64 KiB as JSON; the largest is day/)
    expect(body).toMatchObject({
      error: 'content_violation',
      details: { violations: [{ path: 'data', code: 'too_large', limit: 65_536, message: { en } }] },
    })
  })

  it('reaches no more people in 24 hours than an automatic activation covers, and starts all or none', async () => {
    const { db } = api.database
    const started = await scenario()
    const binding = await bindScenario(started)
    const automatic = db.updateTable('scenario_version').where('scenario_id', '=', started.id)
    await automatic.set({ automatic: true }).execute()
    const most = (people: number) =>
      db.updateTable('category').set({ auto_max_recipients: people }).where('id', '=', 'news').execute()
    await most(2)
    expect((await sendEvent(api, newEvent({ subjectUids: ['s1'] }))).body).toMatchObject({ runs: 1 })
    const { body } = await sendEvent(api, newEvent({ subjectUids: ['s2', 's3'] }))
    expect(body).toMatchObject({ error: 'too_many_people', duplicate: false })
    expect(await runsOf(started)).toHaveLength(1)
    await automatic.set({ automatic: false }).execute()
    const replay = await api.call('replayEventBinding', { ...asA(), id: binding })
    expect(replay.body).toMatchObject({ runs: 2 })
    await most(2_000)
  })

  it('has too_many_runs where the unit has no room', async () => {
    const { scenario: full } = await bound()
    const { db } = api.database
    const id = await insertScenarioRun(db, { scenario: full })
    const most = limits.openRunsPerUnit
    Object.assign(limits, { openRunsPerUnit: 1 })
    try {
      expect((await sendEvent(api, newEvent())).body).toMatchObject({ error: 'too_many_runs' })
    } finally {
      Object.assign(limits, { openRunsPerUnit: most })
    }
    expect((await runsOf(full)).map((run) => run.id)).toEqual([id])
  })
})

describe('a binding with a scenario', () => {
  it('is in force at once if a person approved the version in force, and shows what it starts', async () => {
    const { scenario: started, binding } = await bound()
    const { body } = await api.call('getEventBinding', { ...asA(), id: binding })
    expect(body).toMatchObject({ inForce: 1, templateId: null, scenarioId: started.id, runPer: 'subject' })
  })

  it('waits for an approver while no person has approved a version', async () => {
    const automatic = await scenario()
    await updateRows(api.database.db, 'scenario_version', { scenario_id: automatic.id }, { automatic: true })
    for (const one of [automatic, await scenario({ state: 'draft' })]) {
      const { body } = await create({ scenarioId: one.id })
      expect(body).toMatchObject({ inForce: null, newest: { state: 'submitted', scenarioId: one.id } })
    }
  })

  it('is refused with a scenario of another unit, a retired one, or one of another category', async () => {
    const other = await insertScenario(api.database.db, { unitId: api.units.b, categoryId: 'news' })
    const retired = await scenario({ state: 'retired' })
    const manual = await scenario({ categoryId: 'manual' })
    const answers = [
      await create({ scenarioId: other.id }),
      await create({ scenarioId: 'nowhere' }),
      await create({ scenarioId: retired.id }),
      await create({ scenarioId: manual.id }),
    ]
    expect(answers.map(({ code }) => code)).toEqual([
      ...['not_found', 'not_found'],
      ...['validation_error', 'validation_error'],
    ])
    const paths = answers.map(({ body }) => body.error.details.issues[0].path)
    expect(paths).toEqual(['scenarioId', 'scenarioId', 'scenarioId', 'categoryId'])
  })

  it('has neither a template nor a query beside it, and runPer only with it', async () => {
    const { id: scenarioId } = await scenario()
    const query = { kind: 'query', roles: ['student'] }
    const answers = [
      await create({ scenarioId, templateId: api.templates.approved }),
      await create({ scenarioId, audience: query }),
      await create({ templateId: api.templates.approved, runPer: 'event' }),
    ]
    expect(answers.map(({ body }) => body.error.details.issues[0].path)).toEqual([
      'scenarioId',
      'audience',
      'runPer',
    ])
  })

  it('gets and loses its scenario by a change, which an approver decides about', async () => {
    const started = await scenario()
    const id = await bind(api)
    const body = { templateId: null, scenarioId: started.id, runPer: 'event' }
    const changed = await api.call('updateEventBinding', { ...asA(), id, body })
    expect(changed.body).toMatchObject({ scenarioId: null, newest: { ...body, state: 'submitted' } })
    expect((await sendEvent(api, newEvent())).body.messageId).toEqual(expect.any(String))
    await api.call('approveEventBinding', { ...approver(), id })
    expect((await sendEvent(api, newEvent())).body).toMatchObject({ messageId: null, runs: 1 })
    const without = await api.call('updateEventBinding', { ...asA(), id, body: { scenarioId: null } })
    expect(without.body).toMatchObject({ scenarioId: null, runPer: null, inForce: 3 })
    expect((await sendEvent(api, newEvent())).body).toMatchObject({ error: 'no_template' })
  })
})
