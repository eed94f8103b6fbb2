import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { admitRuns, beginAtOnce, longestStandingLine } from '../../../src/db/queries/scenario-run/start.ts'
import { retireNextRuns } from '../../../src/services/scenario-runs/retire-runs.ts'
import { conversation, storeEvent, tapOption, typeText, workOff } from '../../fixtures/conversations.ts'
import { type ChatPerson, insertChatPerson } from '../../fixtures/handoffs.ts'
import { forApiWithRuns } from '../../fixtures/open-runs.ts'
import { insertPattern } from '../../fixtures/patterns.ts'
import { waitForRunAt, waitForRunEnd } from '../../fixtures/run-waits.ts'
import {
  type InsertedScenario,
  insertScenario,
  insertScenarioRun,
  scenarioRunRow,
} from '../../fixtures/scenario-rows.ts'
import { eventually } from '../../harness/eventually.ts'

/**
 * A unit's conversations begin as others of it have taken their next step. Whatever ends a run, it must hold up no other:
 * each way is tried on runs that a workflow carries, and on runs that stand in line.
 */

const { api, runs } = forApiWithRuns(10_000)

type Talk = { id: string; person: ChatPerson; scenario: InsertedScenario }
type End = {
  /** The file whose call of `endRuns` this is. */
  at: string
  prepare?: (scenario: InsertedScenario) => Promise<void>
  end: (talk: Talk) => Promise<unknown>
  /** How such a run stands; defaults to one at its question. */
  begun?: { node?: string; columns?: object; patterned?: true }
  /** Whether it can happen to a run that has said nothing yet. */
  inLine: boolean
  reason: string | null
}

const session = () => ({ session: api.sessions.editor })
const keyword = (scenario: InsertedScenario) => `line ${scenario.id}`

const ends: Record<string, End> = {
  'the erasure of the person': {
    at: 'db/queries/scenario-run/erase.ts',
    end: ({ person }) => api.call('eraseSubject', { key: api.keys.administrative, id: person.uid }),
    inLine: true,
    reason: 'erased',
  },
  'a scenario that is retired': {
    at: 'db/queries/scenario-run/farewell.ts',
    async end({ scenario }) {
      await runs.db.updateTable('scenario').set({ state: 'retired' }).where('id', '=', scenario.id).execute()
      expect(await retireNextRuns({ db: runs.db, wake: runs.wake })).toBe(true)
    },
    inLine: true,
    reason: 'retired',
  },
  'a cancel of the run': {
    at: 'services/scenario-runs/cancel-runs.ts',
    end: ({ id }) => api.call('cancelRun', { ...session(), id }),
    inLine: true,
    reason: 'cancelled',
  },
  'a cancel of all runs of a scenario': {
    at: 'services/scenario-runs/cancel-runs.ts',
    end: ({ scenario }) => api.call('cancelRuns', { ...session(), id: scenario.id, body: {} }),
    inLine: true,
    reason: 'cancelled',
  },
  'the word for leaving': {
    at: 'services/webhooks/handle-text.ts',
    end: ({ person }) => typeText(runs, person, '取消'),
    inLine: true,
    reason: 'left',
  },
  'a button that starts another scenario': {
    at: 'services/scenario-runs/record-answer.ts',
    end: ({ id, person }) => tapOption(runs, { id, address: person.address }, '1'),
    inLine: false,
    reason: null,
  },
  'a keyword that begins it again': {
    at: 'services/scenario-runs/start-by-person.ts',
    async prepare(scenario) {
      const row = { trigger: `keyword:${keyword(scenario)}`, scenario_id: scenario.id }
      await runs.db.insertInto('scenario_trigger').values(row).execute()
    },
    async end({ id, person, scenario }) {
      await sql`update scenario_run set created_at = now() - interval '1 hour' where id = ${id}`.execute(
        runs.db,
      )
      await typeText(runs, person, keyword(scenario))
    },
    inLine: true,
    reason: 'restarted',
  },
  'another test': {
    at: 'services/scenario-runs/test-run.ts',
    async end({ person, scenario }) {
      await runs.db.updateTable('person').set({ subject_uid: null }).execute()
      const editor = runs.db.updateTable('person').set({ subject_uid: person.uid })
      await editor.where('name', '=', 'Editor').execute()
      const tested = await api.call('startTestRun', { ...session(), id: scenario.id })
      expect(tested.status).toBe(202)
    },
    begun: { columns: { test: true, occasion: 'test' } },
    inLine: true,
    reason: 'restarted',
  },
  'a block by who waits for a place': {
    at: 'services/webhooks/chat.ts',
    async end({ person }) {
      expect(await workOff(runs, await storeEvent(runs, person.address, { type: 'unfollow' }))).toBe(
        'blocked',
      )
    },
    begun: { node: 'take', patterned: true },
    inLine: false,
    reason: 'blocked',
  },
}

async function newScenario(): Promise<InsertedScenario> {
  const plan = { unitId: api.units.a, categoryId: 'manual' }
  const other = await insertScenario(runs.db, { ...plan, content: conversation })
  const jump = { kind: 'jumpScenario' as const, label: { 'zh-TW': '其他服務' }, scenarioId: other.id }
  const nodes = conversation.nodes.map((node) =>
    node.kind === 'question' && node.message.kind === 'buttons'
      ? { ...node, message: { ...node.message, actions: [node.message.actions[0]!, jump] } }
      : node,
  )
  return insertScenario(runs.db, { ...plan, content: { ...conversation, nodes } })
}

async function newTalk(scenario: InsertedScenario, columns: object = {}): Promise<Talk> {
  const person = await insertChatPerson(runs.db)
  const id = await insertScenarioRun(runs.db, {
    scenario,
    subjectId: person.subjectId,
    columns: { node: 'hello', ...columns },
  })
  return { id, person, scenario }
}

/** Runs of the unit that have a change which their workflow has not seen, or which stand in line though they are over. */
async function unseen(): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from scenario_run where observed_version < version or (queued_at is not null and closed_at is not null)`.execute(
    runs.db,
  )
  return rows.map(({ id }) => id)
}

it('each call that ends runs is tried here', () => {
  const src = resolve(import.meta.dirname, '../../../src')
  const calls = readdirSync(src, { recursive: true, encoding: 'utf8' }).flatMap((file) =>
    file.endsWith('.ts')
      ? [...readFileSync(join(src, file), 'utf8').matchAll(/(?<!function )\bendRuns\(/g)].map(() => file)
      : [],
  )
  expect(
    Object.values(ends)
      .map(({ at }) => at)
      .sort(),
  ).toEqual(calls.sort())
})

describe.each(Object.entries(ends))('%s', (_name, { prepare, end, begun = {}, inLine, reason }) => {
  it('of as many runs as may begin at once leaves room for the next', async () => {
    const talks: Talk[] = []
    const pattern = begun.patterned && (await insertPattern(runs.db, { capacity: 1 }, api.units.a))
    if (pattern) await newTalk(pattern.scenario, { node: 'take' }).then(({ id }) => started(id, 'in'))
    for (let n = 0; n < beginAtOnce; n += 1) {
      const scenario = pattern ? pattern.scenario : await newScenario()
      await prepare?.(scenario)
      const talk = await newTalk(scenario, pattern ? { node: 'take' } : begun.columns)
      await started(talk.id, begun.node ?? 'ask')
      talks.push(talk)
    }
    for (const talk of talks) await end(talk)
    for (const { id } of talks)
      expect(await scenarioRunRow(runs.db, id)).toMatchObject({ reason, closed_at: expect.any(Date) })
    await eventually(async () => expect(await unseen()).toEqual([]))
    expect((await startFor(await insertChatPerson(runs.db))).body).toMatchObject({ started: 1 })
    await eventually(async () => expect(await unseen()).toEqual([]))
  })

  it.runIf(inLine)('of a run that stands in line is seen at once, and wakes nobody', async () => {
    const scenario = await newScenario()
    await prepare?.(scenario)
    const queued = { ...begun.columns, queued_at: new Date(), queued_mass: true, observed_version: 1 }
    const talk = await newTalk(scenario, queued)
    await end(talk)
    expect(await scenarioRunRow(runs.db, talk.id)).toMatchObject({
      ...{ reason, closed_at: expect.any(Date), queued_at: null, version: 2, observed_version: 2 },
    })
    await eventually(async () => expect(await unseen()).toEqual([]))
    const { workflow } = runs.temporal.client
    await expect(workflow.getHandle(`scenario/${talk.id}`).describe()).rejects.toThrow(/not found/)
  })
})

it('a retired scenario says farewell to who began it and stands in line, and to nobody else there', async () => {
  const scenario = await insertScenario(runs.db, {
    ...{ unitId: api.units.a, categoryId: 'manual' },
    content: { ...conversation, farewell: { 'zh-TW': '這項服務已結束' } },
  })
  const queued = { queued_at: new Date(), observed_version: 1 }
  const called = await newTalk(scenario, { ...queued, queued_mass: true })
  const typed = await newTalk(scenario, { ...queued, spoke_at: new Date() })
  await runs.db.updateTable('scenario').set({ state: 'retired' }).where('id', '=', scenario.id).execute()
  expect(await retireNextRuns({ db: runs.db, wake: runs.wake })).toBe(true)
  expect(await scenarioRunRow(runs.db, called.id)).toMatchObject({ state: 'cancelled', reason: 'retired' })
  for (const id of await admitRuns(runs.db, beginAtOnce)) runs.wake('scenario', id, [{ name: 'started' }])
  await waitForRunEnd(runs, typed.id, 'cancelled')
  const saidTo = async ({ address }: ChatPerson) =>
    (await runs.chat.journal()).filter(({ to }) => to.includes(address)).length
  expect([await saidTo(called.person), await saidTo(typed.person)]).toEqual([0, 1])
})

async function started(id: string, node: string): Promise<void> {
  runs.wake('scenario', id, [{ name: 'started' }])
  await waitForRunAt(runs, id, node, 'waiting')
}

/** A start of a new conversation of the unit, with this person. */
async function startFor({ uid }: ChatPerson) {
  const { id } = await insertScenario(runs.db, {
    ...{ unitId: api.units.a, categoryId: 'manual', content: conversation },
  })
  return api.call('startRuns', { key: api.keys.individual, id, body: { subjectUids: [uid] } })
}

describe('what holds up a line', () => {
  const over = (ids: string[]) =>
    runs.db
      .updateTable('scenario_run')
      .set({ state: 'done', closed_at: new Date(), observed_version: sql`version`, queued_at: null })
      .where('id', 'in', ids)
      .execute()

  /** A unit with as many runs as may begin at once that have not begun, and one in line. */
  async function fullUnit() {
    const scenario = await insertScenario(runs.db)
    const behind: string[] = []
    for (let n = 0; n < beginAtOnce; n += 1) behind.push(await insertScenarioRun(runs.db, { scenario }))
    const next = await insertScenarioRun(runs.db, {
      scenario,
      columns: { queued_at: new Date(Date.now() - 90_000), observed_version: 1 },
    })
    const of = (ids: string[]) => runs.db.updateTable('scenario_run').where('id', 'in', ids)
    return { behind, next, of }
  }

  it('are open runs that are behind, until the reconciler has woken one in vain five times', async () => {
    const { behind, next, of } = await fullUnit()
    expect(await admitRuns(runs.db, beginAtOnce)).toEqual([])
    await of([behind[0]!]).set({ wake_count: 5 }).execute()
    expect(await admitRuns(runs.db, beginAtOnce)).toEqual([next])
    await over([...behind, next])
  })

  it('are no runs that are over', async () => {
    const { behind, next, of } = await fullUnit()
    await of([behind[0]!]).set({ state: 'done', closed_at: new Date() }).execute()
    expect(await admitRuns(runs.db, beginAtOnce)).toEqual([next])
    await over([...behind, next])
  })

  it('is told by how long nothing of it has begun', async () => {
    expect(await longestStandingLine(runs.db)).toBe(0)
    const { behind, next, of } = await fullUnit()
    const more = await insertScenarioRun(runs.db, {
      scenario: await scenarioOf(next),
      columns: { queued_at: new Date(Date.now() - 80_000), observed_version: 1, queued_mass: true },
    })
    expect(await longestStandingLine(runs.db)).toBeGreaterThan(89)
    await of([behind[0]!]).set({ observed_version: 1 }).execute()
    expect(await admitRuns(runs.db, beginAtOnce)).toEqual([next])
    expect(await longestStandingLine(runs.db)).toBeLessThan(60)
    await over([...behind, next, more])
  })
})

async function scenarioOf(runId: string): Promise<InsertedScenario> {
  const { scenario_id: id, unit_id: unitId } = await scenarioRunRow(runs.db, runId)
  return { id, unitId, categoryId: 'advice', version: 1 }
}
