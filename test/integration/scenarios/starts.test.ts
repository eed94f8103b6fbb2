import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { startApi } from '../../fixtures/api.ts'
import { auditRows, insertRow, selectRow, selectRows, updateRows } from '../../fixtures/rows.ts'
import {
  type InsertedScenario,
  insertScenario,
  insertScenarioRun,
  type ScenarioPlan,
  scenarioRunRow,
} from '../../fixtures/scenario-rows.ts'
import { forFile } from '../../harness/for-file.ts'

let scenario: InsertedScenario
const api = forFile(startApi)
beforeEach(async () => {
  scenario = await newScenario()
})

function newScenario(planned: ScenarioPlan = {}) {
  return insertScenario(api.database.db, { unitId: api.units.a, ...planned })
}

async function person(change: { chat?: boolean } = {}): Promise<string> {
  const uid = `start-${randomUUID()}`
  const { db } = api.database
  const { id } = await insertRow(db, 'subject', { uid, roles: ['student'], stage: 'member' })
  if (change.chat !== false)
    await insertRow(db, 'address', { subject_id: id, channel: 'chat', address: `U${uid}` })
  return uid
}

function start(body: object, options: { key?: string; id?: string; idempotencyKey?: string } = {}) {
  const { key = api.keys.individual, id = scenario.id, idempotencyKey } = options
  const headers: Record<string, string> = idempotencyKey ? { 'idempotency-key': idempotencyKey } : {}
  return api.call('startRuns', { key, id, headers, body })
}

function asEditor(body: object, idempotencyKey = randomUUID()) {
  const headers = { 'idempotency-key': idempotencyKey }
  return api.call('startRuns', { session: api.sessions.editor, id: scenario.id, headers, body })
}

const none = { noConsent: 0, noAddress: 0, preferenceOff: 0, blocked: 0 }

function runs() {
  return api.database.db
    .selectFrom('scenario_run')
    .selectAll()
    .where('scenario_id', '=', scenario.id)
    .execute()
}

async function makeAutomatic(most: number): Promise<void> {
  const { db } = api.database
  await db
    .insertInto('category')
    .values({
      ...{ id: `auto-${most}`, name: '{"zh-TW":"自動"}', layer: 'service', auto_max_recipients: most },
      channel_plan: '{"mode":"all","channels":["chat"]}',
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const set = { automatic: true, category_id: `auto-${most}` }
  await db.updateTable('scenario_version').set(set).where('scenario_id', '=', scenario.id).execute()
}

describe('a start for people by uid', () => {
  it('starts at the first node, answers what became of each, and is audited without uids', async () => {
    const [here, away] = [await person(), await person({ chat: false })]
    const { status, body } = await start({ subjectUids: [here, away, 'nobody', here] })
    expect([status, body.error]).toEqual([202, undefined])
    expect(body).toMatchObject({
      started: 1,
      unknownUids: 1,
      alreadyRunning: 0,
      excluded: { ...none, noAddress: 1 },
    })
    expect(body.items).toEqual([{ id: expect.any(String), uid: here, created: true }])
    const row = await scenarioRunRow(api.database.db, body.items[0].id)
    expect(row).toMatchObject({
      node: 'ask',
      state: 'running',
      version_number: 1,
      test: false,
      version: 1,
      observed_version: 0,
    })
    const trail = await api.database.db
      .selectFrom('audit')
      .selectAll()
      .where('object_id', '=', scenario.id)
      .execute()
    expect(trail.map(({ action, details }) => [action, details])).toEqual([
      ['individual_targeting', { count: 3 }],
      ['start_runs', { version: 1, started: 1, alreadyRunning: 0 }],
    ])
  })

  it('answers the open run to a second start', async () => {
    const uid = await person()
    const [first, second] = [await start({ subjectUids: [uid] }), await start({ subjectUids: [uid] })]
    expect(second.body).toMatchObject({ started: 0, alreadyRunning: 1 })
    expect(second.body.items).toEqual([{ ...first.body.items[0], created: false }])
  })

  it('gets the same answer by the same key, even after the scenario is retired, and 409 with another body', async () => {
    const [uid, idempotencyKey] = [await person(), randomUUID()]
    const first = await start({ subjectUids: [uid] }, { idempotencyKey })
    await updateRows(api.database.db, 'scenario', { id: scenario.id }, { state: 'retired' })
    expect((await start({ subjectUids: [uid] }, { idempotencyKey })).body).toEqual(first.body)
    expect((await start({ subjectUids: [uid, 'x'] }, { idempotencyKey })).code).toBe('idempotency_mismatch')
    const { answer } = await selectRow(api.database.db, 'scenario_start', { scenario_id: scenario.id }, [
      'answer',
    ])
    expect(JSON.stringify(answer)).not.toContain(uid)
  })

  it('shows a repeat by the same key to the unit, and the uids to those who may target them alone', async () => {
    const [uid, idempotencyKey] = [await person(), randomUUID()]
    const body = { subjectUids: [uid] }
    const first = (await start(body, { idempotencyKey })).body
    const nameless = { ...first, items: [{ id: first.items[0].id, created: true }] }
    expect((await start(body, { idempotencyKey, key: api.keys.a })).body).toEqual(nameless)
    expect((await asEditor(body, idempotencyKey)).body).toEqual(nameless)
    expect((await start(body, { idempotencyKey, key: api.keys.b })).code).toBe('not_found')
    expect((await start(body, { idempotencyKey })).body).toEqual(first)
  })

  it('of ten concurrent requests with one key starts once', async () => {
    const [uid, idempotencyKey] = [await person(), randomUUID()]
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => start({ subjectUids: [uid] }, { idempotencyKey })),
    )
    for (const { body } of answers) expect(body).toEqual(answers[0]!.body)
    expect(await runs()).toHaveLength(1)
  })

  it('is for keys with the right to it, never for sessions', async () => {
    const uid = await person()
    expect((await asEditor({ subjectUids: [uid] })).code).toBe('individual_targeting_disabled')
    expect(await runs()).toEqual([])
  })

  it('gives each their own values, beside those of all', async () => {
    const declared = [
      { name: 'seat', required: true },
      { name: 'day', required: false, default: 'Monday' },
      { name: 'hall', required: true },
    ]
    scenario = await newScenario({ content: { variables: declared } })
    const [one, other] = [await person(), await person()]
    const subjectUids = [one, other]
    const variablesByUid = { [one]: { seat: 'A1', day: 'Friday' }, [other]: { seat: 'B2' } }
    const { body } = await start({ subjectUids, variables: { hall: 'Main' }, variablesByUid })
    const byUid = new Map<string, unknown>()
    for (const { id, uid } of body.items) {
      const { variables } = (await api.call('getRun', { key: api.keys.individual, id })).body
      byUid.set(uid, variables)
    }
    expect(byUid.get(one)).toEqual({ seat: 'A1', day: 'Friday', hall: 'Main' })
    expect(byUid.get(other)).toEqual({ seat: 'B2', day: 'Monday', hall: 'Main' })
  })

  it('starts nobody where a value of one person is missing, or one is given for another', async () => {
    scenario = await newScenario({ content: { variables: [{ name: 'seat', required: true }] } })
    const [one, other] = [await person(), await person()]
    const missing = await start({ subjectUids: [one, other], variablesByUid: { [one]: { seat: 'A1' } } })
    expect([missing.code, missing.body.error.details]).toEqual(['missing_variable', { variables: ['seat'] }])
    expect(missing.body.error.message).toContain('person 2 of subjectUids')
    const stranger = await start({ subjectUids: [one], variablesByUid: { [other]: { seat: 'A1' } } })
    expect(stranger.code).toBe('validation_error')
    expect(await runs()).toEqual([])
  })

  it('names at most 5,000 people', async () => {
    const subjectUids = Array.from({ length: 5_001 }, (_, index) => `s-${index}`)
    expect(await start({ subjectUids })).toMatchObject({ status: 413, code: 'too_many_subjects' })
  })

  it.each([
    ['draft', 'draft'],
    ['paused', 'paused'],
    ['retired', 'retired'],
  ] as const)('is refused while the scenario is %s', async (state, detail) => {
    scenario = await newScenario({ state })
    const { code, body } = await start({ subjectUids: [await person()] })
    expect([code, body.error.details.state]).toEqual(['invalid_transition', detail])
  })

  it('takes declared variables with their defaults, names missing ones, and no others', async () => {
    const variables = [
      { name: 'name', required: true },
      { name: 'place', required: true, default: 'Taipei' },
    ]
    scenario = await newScenario({
      content: { variables: [variables[0]!, { ...variables[1]!, required: false }] },
    })
    const subjectUids = [await person()]
    const missing = await start({ subjectUids })
    expect([missing.code, missing.body.error.details.variables]).toEqual(['missing_variable', ['name']])
    expect((await start({ subjectUids, variables: { name: '林', other: 1 } })).code).toBe('validation_error')
    expect((await start({ subjectUids, variables: { name: '林', subject: 'x' } })).code).toBe(
      'validation_error',
    )
    const rounded = await start({ subjectUids, variables: { name: { account: 2 ** 53 } } })
    expect(rounded.body.error.details.issues).toMatchObject([
      { path: 'variables.name.account', message: expect.stringContaining('give it as a text') },
    ])
    const { status } = await start({ subjectUids, variables: { name: '林' } })
    expect(status).toBe(202)
    const rows = await selectRows(api.database.db, 'scenario_start', { scenario_id: scenario.id }, [
      'variables',
    ])
    expect(rows).toEqual([{ variables: { name: '林', place: 'Taipei' } }])
  })

  it('reaches as many people in a day as the automatic check covers, by all starts together, or starts nobody', async () => {
    await makeAutomatic(2)
    const [one, two, three] = [await person(), await person(), await person()]
    expect((await start({ subjectUids: [one] })).status).toBe(202)
    const refused = await start({ subjectUids: [two, three] })
    expect(refused.code).toBe('forbidden')
    expect(refused.body.error.message).toContain('Send a message whose button starts it')
    expect(await runs()).toHaveLength(1)
    expect((await start({ subjectUids: [one, two], variables: { undeclared: 1 } })).status).toBe(202)
  })
})

describe('a start in a category with a frequency cap', () => {
  const categoryId = 'capped'
  beforeEach(async () => {
    const { db } = api.database
    await db
      .insertInto('category')
      .values({
        ...{
          id: categoryId,
          name: '{"zh-TW":"上限"}',
          layer: 'service',
          frequency_cap: '{"messages":1,"days":7}',
        },
        channel_plan: '{"mode":"all","channels":["chat"]}',
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    scenario = await newScenario({ categoryId })
  })

  const endRun = (id: string, columns: object = {}) =>
    updateRows(api.database.db, 'scenario_run', { id }, { state: 'done', closed_at: new Date(), ...columns })
  const other = async () => (await newScenario({ categoryId })).id

  it('reaches nobody who has had as many conversations of others as it allows', async () => {
    const uid = await person()
    const first = await start({ subjectUids: [uid] })
    expect(first.body).toMatchObject({ started: 1, excluded: none, frequency: 0 })
    const again = await start({ subjectUids: [uid] })
    expect(again.body).toMatchObject({ started: 0, alreadyRunning: 1, frequency: 0 })
    const second = { subjectUids: [uid, await person(), 'nobody'] }
    const { body } = await start(second, { id: await other() })
    expect(body).toMatchObject({ started: 1, unknownUids: 1, excluded: none, frequency: 1 })

    const [{ id }] = first.body.items
    await endRun(id)
    expect((await start({ subjectUids: [uid] })).body).toMatchObject({ started: 1, frequency: 0 })
  })

  it('counts a run that has said something, within the days of the cap, and neither tests nor starts by the person', async () => {
    const uid = await person()
    const [{ id }] = (await start({ subjectUids: [uid] })).body.items
    const { subject_id } = await scenarioRunRow(api.database.db, id)
    const told = { run_id: id, number: 1, first_node: 'ask', last_node: 'ask', subject_id, locale: 'en' }
    await api.database.db
      .insertInto('turn')
      .values({ ...told, unit_id: api.units.a, answers_person: false, state: 'sent', closed_at: new Date() })
      .execute()
    const capped = async () => (await start({ subjectUids: [uid] }, { id: await other() })).body.frequency
    for (const [columns, counted] of [
      [{}, 1],
      [{ test: true }, 0],
      [{ test: false, started_by: `recipient:${subject_id}` }, 0],
      [{ started_by: 'key:x', created_at: new Date(Date.now() - 8 * 86_400_000) }, 0],
    ] as const) {
      await endRun(id, columns)
      expect(await capped()).toBe(counted)
      const others = api.database.db.deleteFrom('scenario_run').where('subject_id', '=', subject_id)
      await others.where('id', '<>', id).execute()
    }
  })
})

describe('a start for an audience', () => {
  const students = { audience: { kind: 'query', roles: ['student'] } }

  it('answers numbers only, and the same by the same key', async () => {
    await person()
    const idempotencyKey = randomUUID()
    const { status, body } = await asEditor(students, idempotencyKey)
    expect([status, body.items]).toEqual([202, undefined])
    expect(body.started).toBeGreaterThan(0)
    expect((await asEditor(students, idempotencyKey)).body).toEqual(body)
  })

  it('needs an Idempotency-Key', async () => {
    expect((await start(students)).code).toBe('idempotency_key_required')
  })

  it('is refused where no person approved the version', async () => {
    await makeAutomatic(1_000)
    const { status, body } = await asEditor(students)
    expect([status, body.error.message]).toEqual([
      403,
      expect.stringContaining('Send a message whose button starts it'),
    ])
  })

  it('is no way around individual targeting', async () => {
    const { db } = api.database
    const group = {
      unit_id: api.units.a,
      name: randomUUID(),
      kind: 'static',
      legal_basis: 'consent',
    } as const
    const { id } = await insertRow(db, 'subject_group', group)
    const uid = await person()
    await db
      .insertInto('group_member')
      .columns(['group_id', 'subject_id'])
      .expression((eb) =>
        eb
          .selectFrom('subject')
          .select([eb.val(id).as('group_id'), 'id'])
          .where('uid', '=', uid),
      )
      .execute()
    expect((await asEditor({ audience: { kind: 'query', groups: [id] } })).code).toBe(
      'individual_targeting_disabled',
    )
    expect(await runs()).toEqual([])
  })
})

describe('a test run', () => {
  it('starts the newest version with the caller, marked, and ends their earlier test', async () => {
    scenario = await newScenario({ state: 'draft' })
    const uid = await person()
    await api.database.db.updateTable('person').set({ subject_uid: uid }).execute()
    const test = () => api.call('startTestRun', { session: api.sessions.editor, id: scenario.id, body: {} })
    const [first, second] = [await test(), await test()]
    expect(second).toMatchObject({ status: 202, body: { version: 1 } })
    expect(await scenarioRunRow(api.database.db, first.body.id)).toMatchObject({
      state: 'cancelled',
      reason: 'restarted',
    })
    expect(await scenarioRunRow(api.database.db, second.body.id)).toMatchObject({
      test: true,
      closed_at: null,
    })
  })

  it('of several at once, each starts a run, and the last of them goes on', async () => {
    scenario = await newScenario({ state: 'draft' })
    await api.database.db
      .updateTable('person')
      .set({ subject_uid: await person() })
      .execute()
    const test = () => api.call('startTestRun', { session: api.sessions.editor, id: scenario.id, body: {} })
    const answers = await Promise.all(Array.from({ length: 5 }, test))
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202, 202, 202])
    const started = await runs()
    expect(started.map(({ id }) => id).sort()).toEqual(answers.map(({ body }) => body.id).sort())
    expect(started.filter(({ closed_at }) => closed_at === null)).toHaveLength(1)
  })

  it('needs a chat address of the caller', async () => {
    const subject_uid = await person({ chat: false })
    await api.database.db.updateTable('person').set({ subject_uid }).execute()
    const { code } = await api.call('startTestRun', {
      session: api.sessions.editor,
      id: scenario.id,
      body: {},
    })
    expect(code).toBe('validation_error')
  })
})

describe('cancelling', () => {
  it('ends an open run once, with an audit row', async () => {
    const id = await insertScenarioRun(api.database.db, { scenario })
    const cancel = () => api.call('cancelRun', { key: api.keys.a, id })
    const answers = await Promise.all([cancel(), cancel(), cancel()])
    const [done, ...over] = answers.toSorted((one, other) => one.status - other.status)
    expect(done).toMatchObject({ status: 200, body: { id, state: 'cancelled' } })
    for (const { body } of over)
      expect(body.error).toMatchObject({
        code: 'invalid_transition',
        details: { state: 'cancelled', at: expect.any(String) },
      })
    const trail = await auditRows(api.database.db, id, 'action')
    expect(trail).toEqual([{ action: 'cancel' }])
    expect((await api.call('cancelRun', { key: api.keys.b, id })).code).toBe('not_found')
  })

  it('ends those of a version or at a node, and says how many', async () => {
    const make = (node: string) => insertScenarioRun(api.database.db, { scenario, columns: { node } })
    await Promise.all([make('ask'), make('ask'), make('end')])
    const cancel = (body: object) => api.call('cancelRuns', { key: api.keys.a, id: scenario.id, body })
    expect((await cancel({ version: 2 })).body).toEqual({ cancelled: 0 })
    expect((await cancel({ node: 'end' })).body).toEqual({ cancelled: 1 })
    expect((await cancel({})).body).toEqual({ cancelled: 2 })
  })
})
