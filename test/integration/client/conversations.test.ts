import { randomUUID } from 'node:crypto'
import { beforeAll, expect, it } from 'vitest'
import type {
  Carillon,
  CreatePattern,
  CreatePatternVersion,
  CreateScenario,
} from '../../../client/src/index.ts'
import { startApi } from '../../fixtures/api.ts'
import { connectLibrary } from '../../fixtures/library.ts'
import { newPattern, newPatternVersion } from '../../fixtures/new-pattern.ts'
import { newScenario } from '../../fixtures/new-scenario.ts'
import { makeObject } from '../../fixtures/objects.ts'
import { forFile } from '../../harness/for-file.ts'

let carillon: Carillon
let targeting: Carillon
let approver: Carillon
const api = forFile(startApi)
const library = forFile(() => connectLibrary(api))
/** The fixtures have the types of the contract, which do not say that a list has an item. */
const scenarioBody = (fields?: Parameters<typeof newScenario>[0]) => newScenario(fields) as CreateScenario
const patternBody = (fields?: Parameters<typeof newPattern>[0]) => newPattern(fields) as CreatePattern
beforeAll(async () => {
  carillon = library.as({ key: api.keys.a })
  targeting = library.as({ key: api.keys.individual })
  approver = library.as({ session: api.sessions.approver })
})

it('a scenario is written, tried out, approved or rejected, and changed', async () => {
  const { scenarios } = carillon
  const { id } = await scenarios.create(scenarioBody({ categoryId: 'manual' }))
  expect((await scenarios.simulate(id, { version: 1 })).path.length).toBeGreaterThan(0)
  const simulated = await scenarios.simulateContent({ scenario: scenarioBody() })
  expect(simulated.path.length).toBeGreaterThan(0)
  expect((await scenarios.update(id, { state: 'active' })).state).toBe('submitted')
  expect((await approver.scenarios.reject(id, { version: 1, reason: 'no' })).versionState).toBe('rejected')
  const { name, ...content } = scenarioBody({ categoryId: 'manual' })
  const next = await scenarios.update(id, { ...content, name: `${name} 2`, state: 'active' }, { ifMatch: 1 })
  expect(next).toMatchObject({ version: 2, state: 'submitted' })
  expect((await approver.scenarios.approve(id, { version: 2 })).state).toBe('active')
  expect((await scenarios.get(id)).inForce).toBe(2)
  expect((await scenarios.versions(id)).items.map(({ version }) => version)).toEqual([2, 1])
  await scenarios.update(id, { ...content, name: `${name} 3`, state: 'active' })
  expect((await scenarios.withdraw(id, { version: 3 })).versionState).toBe('withdrawn')
  expect((await scenarios.list({ state: 'active' })).items.map((item) => item.id)).toEqual([id])
})

it('runs are started once for each key, read and cancelled', async () => {
  const { id } = await carillon.scenarios.create(scenarioBody())
  await carillon.scenarios.update(id, { state: 'active' })
  const idempotencyKey = randomUUID()
  const start = () => targeting.scenarios.start(id, { subjectUids: ['s1', 'nobody'] }, { idempotencyKey })
  const started = await start()
  expect(started).toMatchObject({ started: 1, unknownUids: 1 })
  expect(await start()).toEqual(started)
  const [run] = (await targeting.scenarios.runs(id)).items
  expect(run).toMatchObject({ uid: 's1', scenarioId: id })
  expect((await targeting.runs.get(run!.id)).startedBy.id).toMatch(/^key:/)
  expect((await targeting.runs.trace(run!.id)).items[0]?.code).toBe('run_started')
  expect((await targeting.scenarios.answers(id)).items).toEqual([])
  expect((await carillon.scenarios.runSummary(id)).versions.map(({ version }) => version)).toEqual([1])
  expect(await carillon.runs.cancel(run!.id)).toEqual({ id: run!.id, state: 'cancelled' })
  expect(await carillon.scenarios.cancelRuns(id)).toEqual({ cancelled: 0 })
  await api.database.db.updateTable('person').set({ subject_uid: 's2' }).execute()
  expect((await approver.scenarios.testRun(id)).version).toBe(1)
})

it('a pattern is created, extended and counted', async () => {
  const { patterns } = carillon
  const { id, scenarioId } = await patterns.create(patternBody({ capacity: 3 }))
  expect(await patterns.get(id)).toMatchObject({ scenarioId, left: 3 })
  expect((await patterns.update(id, { capacity: 5 })).left).toBe(5)
  const version = newPatternVersion({ capacity: 6 }) as CreatePatternVersion
  expect((await patterns.createVersion(id, version, { ifMatch: 1 })).version).toBe(2)
  expect((await patterns.report(id)).registered).toBe(0)
  expect((await targeting.patterns.answers(id)).items).toEqual([])
  expect(await approver.patterns.nameOrganisers(id, { organisers: [] })).toEqual({ organisers: [] })
  expect((await patterns.list()).items.map((item) => item.id)).toEqual([id])
})

it('a schedule is created once for each key, changed and deleted', async () => {
  const { schedules } = carillon
  const idempotencyKey = randomUUID()
  const create = () =>
    schedules.create(
      {
        name: '每日提醒',
        type: 'recurring',
        cron: '0 9 * * *',
        message: {
          categoryId: 'news',
          messages: [{ kind: 'text', text: { 'zh-TW': '校園開放日' } }],
          audience: { kind: 'query', roles: ['student'] },
        },
      },
      { idempotencyKey },
    )
  const { id } = await create()
  expect((await create()).id).toBe(id)
  expect((await schedules.update(id, { enabled: false })).state).toBe('disabled')
  expect((await schedules.get(id)).nextTimes).toEqual([])
  expect((await schedules.occurrences(id)).items).toEqual([])
  expect((await schedules.list()).items.map((item) => item.id)).toEqual([id])
  expect(await schedules.delete(id)).toEqual({ deleted: true })
})

it('a handoff is read, replied to once for each key, and closed', async () => {
  const id = await makeObject.Handoffs!(api)
  const { handoffs } = targeting
  const idempotencyKey = randomUUID()
  const reply = () =>
    handoffs.reply(id, { messages: [{ kind: 'text', text: { 'zh-TW': '您好' } }] }, { idempotencyKey })
  const answer = await reply()
  expect(await reply()).toEqual(answer)
  expect((await handoffs.get(id)).messages).toHaveLength(1)
  expect((await handoffs.list({ state: 'open' })).items.map((item) => item.id)).toEqual([id])
  expect(await handoffs.close(id)).toEqual({ id, state: 'closed' })
})

it('has had an answer to every operation about conversations', () => {
  expect(library.unanswered('Scenarios', 'Runs', 'Patterns', 'Schedules', 'Handoffs')).toEqual([])
})
