import { randomUUID } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { countAudience } from '../../../src/db/queries/audience/count.ts'
import { endRuns } from '../../../src/db/queries/scenario-run/end.ts'
import {
  countReached,
  hasMoreOpenRuns,
  insertRuns,
  type NewRuns,
} from '../../../src/db/queries/scenario-run/start.ts'
import { populate } from '../../fixtures/population.ts'
import { insertRows, selectRows } from '../../fixtures/rows.ts'
import {
  type InsertedScenario,
  insertScenario,
  insertScenarioRun,
  scenarioRunRow,
} from '../../fixtures/scenario-rows.ts'
import { freshDatabase } from '../../harness/database.ts'
import { forFile } from '../../harness/for-file.ts'

let scenario: InsertedScenario
const database = forFile(freshDatabase)
beforeAll(async () => {
  await populate(database.db, 300)
})
beforeEach(async () => {
  scenario = await insertScenario(database.db)
})

function everybody(change: Partial<NewRuns> = {}): NewRuns {
  return {
    scenarioId: scenario.id,
    versionNumber: 1,
    unitId: scenario.unitId,
    node: 'ask',
    people: {
      unitId: scenario.unitId,
      audience: { kind: 'all' },
      plan: { mode: 'first_available', channels: ['chat', 'email'] },
      categoryId: 'news',
      layer: 'service',
      consentScope: 'admission',
      topicId: null,
    },
    occasion: '',
    startId: null,
    startedBy: 'key:test',
    startedByWebhook: null,
    jumps: 0,
    jumpedThrough: [],
    spokeAt: null,
    test: false,
    ...change,
  }
}

function start(change: Partial<NewRuns> = {}) {
  return database.db.transaction().execute((trx) => insertRuns(trx, everybody(change)))
}

function named(uids: string[]): NewRuns['people'] {
  return { ...everybody().people, audience: { kind: 'individual', uids } }
}

describe('starting runs', () => {
  it('starts one for everybody whom a message would reach, and counts the others by reason', async () => {
    const counted = await countAudience(database.db, everybody().people)
    const { runs, excluded } = await start()
    expect(runs.length).toBeGreaterThan(0)
    expect(runs.every(({ created }) => created)).toBe(true)
    expect({ total: runs.length, excluded }).toEqual({ total: counted.total, excluded: counted.excluded })
  })

  it('answers the open run of who has one, and begins another after its end', async () => {
    const first = await start()
    const again = await start()
    expect(again.runs).toEqual(first.runs.map((run) => ({ ...run, created: false, queued: false })))
    await end([first.runs[0]!.id])
    const third = await start()
    expect(third.runs.filter(({ created }) => created)).toHaveLength(1)
  })

  it('keeps one run per occasion', async () => {
    const [one, other] = [await start({ occasion: 'event-1' }), await start({ occasion: 'event-2' })]
    expect(other.runs.every(({ created }) => created)).toBe(true)
    expect(other.runs).toHaveLength(one.runs.length)
  })

  it('of two starts at once makes each run once', async () => {
    const starts = await Promise.all([start(), start(), start()])
    const created = starts.flatMap(({ runs }) => runs.filter((run) => run.created))
    expect(created).toHaveLength(starts[0]!.runs.length)
    for (const { runs } of starts)
      expect(runs.map(({ id }) => id)).toEqual(starts[0]!.runs.map(({ id }) => id))
  })

  it('counts whom others reached in a day: neither tests nor starts by the person', async () => {
    const [one, two, three] = (await start({ test: true })).runs.map(({ subjectId }) => subjectId)
    const uids = await uidsOf([one!, two!])
    await endAll()
    const unit = { unitId: scenario.unitId, categoryId: scenario.categoryId }
    await database.db.updateTable('scenario_version').set({ automatic: true }).execute()
    expect(await countReached(database.db, unit)).toBe(0)
    await start({ people: named(uids) })
    await endAll()
    await start({ people: named(uids) })
    await start({ people: named(await uidsOf([three!])), startedBy: `recipient:${three}` })
    expect(await countReached(database.db, unit)).toBe(2)
    const beside = await insertScenario(database.db, { unitId: scenario.unitId })
    await insertScenarioRun(database.db, { scenario: beside })
    expect(await countReached(database.db, unit)).toBe(2)
    await database.db.updateTable('scenario_version').set({ automatic: true }).execute()
    expect(await countReached(database.db, unit)).toBe(3)
    expect(await hasMoreOpenRuns(database.db, scenario.unitId, 3)).toBe(true)
    expect(await hasMoreOpenRuns(database.db, scenario.unitId, 4)).toBe(false)
  })
})

describe('ending runs', () => {
  it('closes each once, with its reason, and reports those that it closed', async () => {
    const id = await insertScenarioRun(database.db, { scenario })
    expect(await end([id, randomUUID()])).toEqual({ ids: [id], toWake: [id] })
    const closed = await scenarioRunRow(database.db, id)
    expect(closed).toMatchObject({
      state: 'cancelled',
      reason: 'cancelled',
      version: 2,
      next_wakeup_at: null,
    })
    expect(await end([id])).toEqual({ ids: [], toWake: [] })
    expect(await scenarioRunRow(database.db, id)).toEqual(closed)
  })

  it('skips a turn that nobody has tried, and leaves one to its sender', async () => {
    const id = await insertScenarioRun(database.db, { scenario })
    const turn = { run_id: id, first_node: 'ask', last_node: 'ask', unit_id: scenario.unitId }
    await insertRows(database.db, 'turn', [
      { ...turn, number: 1, answers_person: false, locale: 'en' },
      {
        ...turn,
        number: 2,
        answers_person: false,
        locale: 'en',
        claimed_by: 'worker',
        first_try_at: new Date(),
      },
      { ...turn, number: 3, answers_person: false, locale: 'en', first_try_at: new Date() },
    ])
    await end([id])
    const turns = await database.db
      .selectFrom('turn')
      .selectAll()
      .where('run_id', '=', id)
      .orderBy('number')
      .execute()
    expect(turns.map(({ state }) => state)).toEqual(['skipped', 'pending', 'pending'])
    expect(turns[0]).toMatchObject({ reason: 'cancelled' })
  })

  it('takes those of a version or at a node, so many at a time', async () => {
    await start()
    const all = await selectRows(database.db, 'scenario_run', { scenario_id: scenario.id }, ['id'])
    const some = all.slice(0, 3).map(({ id }) => id)
    await database.db.updateTable('scenario_run').set({ node: 'end' }).where('id', 'in', some).execute()
    const where = { scenarioId: scenario.id, node: 'end' }
    expect(await endWhere({ ...where, version: 2 }, 10)).toBe(0)
    expect(await endWhere({ ...where, version: 1 }, 2)).toBe(2)
    expect(await endWhere(where, 10)).toBe(1)
    expect(await endWhere({ scenarioId: scenario.id }, 1_000)).toBe(all.length - 3)
  })
})

const cancelled = { state: 'cancelled', reason: 'cancelled' } as const

function end(ids: string[]) {
  return database.db.transaction().execute((trx) => endRuns(trx, { ids }, cancelled))
}

async function endWhere(where: { scenarioId: string; version?: number; node?: string }, most: number) {
  const ended = await database.db.transaction().execute((trx) => endRuns(trx, { where, most }, cancelled))
  return ended.ids.length
}

function endAll() {
  return endWhere({ scenarioId: scenario.id }, 1_000)
}

async function uidsOf(ids: string[]): Promise<string[]> {
  const rows = await database.db.selectFrom('subject').select('uid').where('id', 'in', ids).execute()
  return rows.map(({ uid }) => uid)
}
