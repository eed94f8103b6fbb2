import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { eraseSubject } from '../../../src/db/queries/erasure/record.ts'
import { countRuns } from '../../../src/db/queries/scenario-run/records.ts'
import { countExpired, type FailedKinds, purgeSlice } from '../../../src/services/retention.ts'
import { startApi } from '../../fixtures/api.ts'
import { placesOf } from '../../fixtures/erasure.ts'
import { brokenInvariants } from '../../fixtures/invariants.ts'
import { keepAll } from '../../fixtures/retention.ts'
import { insertRow, insertRows, updateRows } from '../../fixtures/rows.ts'
import { insertScenario, insertScenarioRun } from '../../fixtures/scenario-rows.ts'
import { forFile } from '../../harness/for-file.ts'
import { commitWhileBlocked } from '../../harness/lock-waits.ts'

const api = forFile(startApi)
const scenario = forFile(() => insertScenario(api.database.db, { unitId: api.units.a }))

const chosen = '{"kind":"option","optionId":"yes"}'

const startRow = (id: string) =>
  api.database.db.selectFrom('scenario_start').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

/** A run with somebody new that knows, said and heard things about them; their uid is in all of it. */
async function knowingRun(columns: object = {}, others: string[] = []) {
  const { db } = api.database
  const uid = `known-${randomUUID()}`
  const { id: subjectId } = await insertRow(db, 'subject', { uid })
  const variables = JSON.stringify({ about: `of ${uid}` })
  const items = [uid, ...others].map((one) => ({ uid: one, created: true }))
  const { id: startId } = await insertRow(db, 'scenario_start', {
    scenario_id: scenario.id,
    actor: 'key:k',
    idempotency_key: `about ${uid}`,
    body_hash: Buffer.from('body'),
    variables,
    answer: JSON.stringify({ items, unknownUids: 0 }),
  })
  const knows = {
    node: 'end',
    start_id: startId,
    variables,
    answers: JSON.stringify({ ask: `by ${uid}` }),
    ...columns,
  }
  const id = await insertScenarioRun(db, { scenario, subjectId, columns: knows })
  const left = { entered_at: '2026-01-01', left_at: '2026-01-02', edge: chosen, to_node: 'end' }
  await insertRows(db, 'scenario_step', [
    { run_id: id, node: 'ask', ...left },
    { run_id: id, node: 'end' },
  ])
  await insertRow(db, 'scenario_answer', { run_id: id, node: 'ask', text: `by ${uid}` })
  await db.insertInto('lookup').values({ run_id: id, node: 'ask' }).execute()
  const turn = {
    ...{ run_id: id, first_node: 'ask', last_node: 'ask', subject_id: subjectId, unit_id: api.units.a },
    ...{ answers_person: false, locale: 'zh-TW', address: `U${uid}`, content: JSON.stringify([uid]) },
    says: JSON.stringify([{ node: 'ask', messages: [{ kind: 'text', text: { 'zh-TW': uid } }] }]),
  }
  const paid = { channel: 'chat', by: 'push', unit_pushes: 1, month: '2026-11-01' } as const
  const at = '2026-11-02'
  await insertRows(db, 'turn', [
    { ...turn, ...paid, number: 1, state: 'sent', closed_at: at, first_try_at: at },
    { ...turn, number: 2, ...('closed_at' in columns && { state: 'skipped', closed_at: at }) },
    {
      ...turn,
      number: 3,
      first_try_at: at,
      ...('closed_at' in columns && { state: 'failed', closed_at: at }),
    },
  ])
  return { id, uid, subjectId, startId }
}

const runRow = (id: string) =>
  api.database.db.selectFrom('scenario_run').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const turnsOf = (id: string) =>
  api.database.db.selectFrom('turn').selectAll().where('run_id', '=', id).orderBy('number').execute()
const places = (text: string) => placesOf(api.database.db, text)

describe('an erased person', () => {
  it('is named nowhere in their runs; an open one ends, and what it cost stays', async () => {
    const { id, uid, subjectId } = await knowingRun({ state: 'waiting', deadline: '2099-01-01' }, ['s1'])
    const before = await runRow(id)
    expect(await places(uid)).toEqual(
      expect.arrayContaining(['scenario_answer', 'scenario_run', 'scenario_start', 'turn']),
    )
    expect((await api.call('eraseSubject', { key: api.keys.administrative, id: uid })).code).toBeNull()
    expect(await places(uid)).toEqual([])
    const run = await runRow(id)
    expect(run).toMatchObject({
      ...{ subject_id: null, state: 'cancelled', reason: 'erased', deadline: null, next_wakeup_at: null },
      ...{ variables: {}, answers: {}, version: before.version + 1, closed_at: expect.any(Date) },
    })
    expect(run.observed_version).toBeLessThan(run.version)
    const nameless = { subject_id: null, address: null, content: null, says: null }
    expect(await turnsOf(id)).toMatchObject([
      { ...nameless, state: 'sent', unit_pushes: 1 },
      { ...nameless, state: 'skipped', reason: 'erased' },
      { ...nameless, state: 'unknown', reason: 'erased' },
    ])
    expect(JSON.stringify(await countRuns(api.database.db, scenario.id, null))).not.toContain(subjectId)
    const { body } = await api.call('getRun', { key: api.keys.individual, id })
    expect(body).toMatchObject({ subjectId: null, uid: null, variables: {}, answers: [] })
    expect(body.path).toHaveLength(2)
  })

  it('is not named by what they began themselves', async () => {
    const { db } = api.database
    const { id, uid, subjectId, startId } = await knowingRun({ state: 'waiting', deadline: '2099-01-01' })
    const actor = `recipient:${subjectId}`
    await db.updateTable('scenario_run').set({ started_by: actor }).where('id', '=', id).execute()
    await db.updateTable('scenario_start').set({ actor }).where('id', '=', startId).execute()
    await api.call('eraseSubject', { key: api.keys.administrative, id: uid })
    expect(await runRow(id)).toMatchObject({ started_by: 'recipient:' })
    const start = db.selectFrom('scenario_start').select('actor').where('id', '=', startId)
    expect(await start.executeTakeFirstOrThrow()).toEqual({ actor: 'recipient:' })
  })

  it('leaves the others of the same start as they are', async () => {
    const { uid, startId } = await knowingRun({ state: 'done', closed_at: '2026-11-01', node: 'end' }, ['s1'])
    await insertScenarioRun(api.database.db, { scenario, columns: { start_id: startId } })
    await api.call('eraseSubject', { key: api.keys.administrative, id: uid })
    expect(await startRow(startId)).toMatchObject({
      answer: { items: [{ uid: 'erased subject' }, { uid: 's1' }], unknownUids: 0 },
      variables: { about: expect.any(String) },
      idempotency_key: `about ${uid}`,
    })
    const alone = await knowingRun()
    await api.call('eraseSubject', { key: api.keys.administrative, id: alone.uid })
    expect(await startRow(alone.startId)).toMatchObject({
      idempotency_key: null,
      body_hash: null,
      variables: {},
    })
  })
})

it('an export has the runs of a person, with what they know, said and heard', async () => {
  const { uid, id } = await knowingRun()
  const { records } = (await api.call('exportSubject', { key: api.keys.administrative, id: uid })).body
  expect(records.scenario_run).toMatchObject([{ id, variables: { about: `of ${uid}` } }])
  expect(records.scenario_start).toMatchObject([{ variables: { about: `of ${uid}` } }])
  expect(records.scenario_answer).toMatchObject([{ run_id: id, text: `by ${uid}` }])
  expect(records.scenario_step).toHaveLength(2)
  expect(records.turn).toMatchObject([{ number: 1, address: `U${uid}` }, { number: 2 }, { number: 3 }])
})

describe('the variables of a start for two people', () => {
  const together = async () => {
    const [first, second] = [await knowingRun(), await knowingRun()]
    const { db } = api.database
    await updateRows(db, 'scenario_run', { id: second.id }, { start_id: first.startId })
    const variables = async () => {
      const start = db.selectFrom('scenario_start').select('variables').where('id', '=', first.startId)
      return (await start.executeTakeFirstOrThrow()).variables
    }
    return { first: first.uid, second: second.uid, variables }
  }
  const erase = (id: string) => api.call('eraseSubject', { key: api.keys.administrative, id })

  it('go with the last of them', async () => {
    const { first, second, variables } = await together()
    await erase(first)
    expect(await variables()).not.toEqual({})
    await erase(second)
    expect(await variables()).toEqual({})
  })

  it('go when both are erased at once, the one waiting for the other', async () => {
    const { first, second, variables } = await together()
    const { db } = api.database
    const person = db.selectFrom('subject').select(['id', 'uid']).where('uid', '=', first)
    const one = await person.executeTakeFirstOrThrow()
    const other = await commitWhileBlocked(
      db,
      (trx) => eraseSubject(trx, one),
      () => erase(second),
    )
    expect(other.code).toBeNull()
    expect(await variables()).toEqual({})
  })
})

describe('runs past retention', () => {
  /** Purges until nothing old is left. */
  async function purge() {
    const retention = { ...keepAll, RETENTION_RUNS_DAYS: 90 }
    const { db } = api.database
    const counts = await countExpired(db, retention)
    const failed: FailedKinds = new Map()
    for (;;) {
      const { scenarioRuns = 0, scenarioStarts = 0 } = await purgeSlice(db, retention, failed)
      expect([...failed.values()]).toEqual([])
      if (scenarioRuns + scenarioStarts === 0) return counts
    }
  }
  const done = (days: number) => ({
    ...{ state: 'done' as const, node: 'end' },
    closed_at: sql<Date>`now() - make_interval(days => ${days})`,
  })

  it('lose person, variables, texts, answers and path; the counts stay', async () => {
    const old = await knowingRun(done(100))
    await sql`update scenario_start set created_at = now() - interval '101 days' where id = ${old.startId}`.execute(
      api.database.db,
    )
    const young = await knowingRun(done(80))
    const counts = await countRuns(api.database.db, scenario.id, null)
    await purge()
    expect(await countRuns(api.database.db, scenario.id, null)).toEqual(counts)
    expect(await places(old.uid)).toEqual(['subject'])
    expect(await runRow(old.id)).toMatchObject({
      ...{ subject_id: null, state: 'done', node: 'end', purged_at: expect.any(Date) },
    })
    expect((await turnsOf(old.id))[0]).toMatchObject({ state: 'sent', unit_pushes: 1, month: '2026-11-01' })
    const { body } = await api.call('getRun', { key: api.keys.individual, id: old.id })
    expect(body).toMatchObject({ purged: true, path: [], uid: null, variables: {}, answers: [] })
    expect(await startRow(old.startId)).toMatchObject({ idempotency_key: null, body_hash: null })
    expect(await runRow(young.id)).toMatchObject({ purged_at: null, subject_id: young.subjectId })
    expect(await startRow(young.startId)).toMatchObject({ idempotency_key: `about ${young.uid}` })
    const broken = await brokenInvariants(api.database.db)
    // The turns of these rows were paid by nobody.
    expect(broken.map(({ name }) => name)).toEqual(['ledger-matches-reservations'])
  })

  it('add to the counts of those before them, two workers at a time', async () => {
    for (let n = 0; n < 6; n += 1) await knowingRun(done(100))
    const counts = await countRuns(api.database.db, scenario.id, null)
    await Promise.all([purge(), purge()])
    expect(await countRuns(api.database.db, scenario.id, null)).toEqual(counts)
  })

  it('are kept while they are open, and so are the variables of their start', async () => {
    const { id, startId, uid } = await knowingRun()
    await sql`update scenario_start set created_at = now() - interval '900 days' where id = ${startId}`.execute(
      api.database.db,
    )
    await sql`update scenario_run set created_at = now() - interval '900 days' where id = ${id}`.execute(
      api.database.db,
    )
    expect(await purge()).toMatchObject({ scenarioRuns: 0, scenarioStarts: 0 })
    expect(await places(uid)).toEqual(
      expect.arrayContaining(['scenario_answer', 'scenario_run', 'scenario_start', 'subject', 'turn']),
    )
  })
})
