import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { findCategory } from '../../../src/db/queries/catalogue/category.ts'
import { takeRunsToWake } from '../../../src/db/queries/run/reconcile.ts'
import { admitRuns, beginAtOnce, insertRuns } from '../../../src/db/queries/scenario-run/start.ts'
import { peopleOf } from '../../../src/services/scenario-runs/start-rules.ts'
import { type InsertedScenario, insertScenario } from '../../fixtures/scenario-rows.ts'
import { freshDatabase } from '../../harness/database.ts'
import { forFile } from '../../harness/for-file.ts'

const database = forFile(freshDatabase)

/** Starts a run for each person with this tag. */
async function start(scenario: InsertedScenario, tag: string) {
  const { id: scenarioId, unitId, categoryId, version: versionNumber } = scenario
  const category = await findCategory(database.db, categoryId)
  const people = peopleOf(unitId, category!, { kind: 'query', tags: [tag] })
  return database.db.transaction().execute((trx) =>
    insertRuns(trx, {
      ...{ scenarioId, versionNumber, unitId, node: 'ask', people, occasion: '', startId: null },
      ...{
        startedBy: 'key:test',
        startedByWebhook: null,
        jumps: 0,
        jumpedThrough: [],
        spokeAt: null,
        test: false,
      },
    }),
  )
}

async function peopleWith(tag: string, count: number): Promise<void> {
  await sql`with named as (
      insert into subject (uid, tags) select ${tag} || n, array[${tag}] from generate_series(1, ${count}::int) as n returning id)
    insert into address (subject_id, channel, address) select id, 'chat', 'U' || id from named`.execute(
    database.db,
  )
}

const observe = (ids: string[]) =>
  sql`update scenario_run set observed_version = version where id = any(${ids}::uuid[])`.execute(database.db)
const lateOnes = async () =>
  sql`update scenario_run set changed_at = now() - interval '1 hour', woken_at = null`.execute(database.db)

it('of a mass start a few runs begin, and as many more as have taken their first step; who begins alone is next', async () => {
  await peopleWith('all', 450)
  await peopleWith('few', 2)
  await peopleWith('one', 1)
  const [mass, other] = [await insertScenario(database.db), await insertScenario(database.db)]
  const { runs } = await start(mass, 'all')
  const begun = runs.filter(({ queued }) => !queued).map(({ id }) => id)
  expect([runs.length, begun.length]).toEqual([450, beginAtOnce])
  const [alone] = (await start(mass, 'one')).runs
  expect(alone).toMatchObject({ queued: true })
  expect((await start(other, 'few')).runs.map(({ queued }) => queued)).toEqual([false, false])
  expect((await start(mass, 'few')).runs.map(({ queued }) => queued)).toEqual([true, true])

  expect(await admitRuns(database.db, beginAtOnce)).toEqual([])
  await observe(begun.slice(0, 1))
  expect(await admitRuns(database.db, beginAtOnce)).toEqual([alone!.id])
  await observe(begun)
  const next = await admitRuns(database.db, beginAtOnce)
  expect(next).toHaveLength(beginAtOnce - 1)
  expect(await admitRuns(database.db, beginAtOnce)).toEqual([])

  // What was admitted and never woken is late like any other; what stands in line is not.
  await observe(begun)
  await lateOnes()
  const late = (await takeRunsToWake(database.db, 200)).map(({ id }) => id)
  expect(late).toEqual(expect.arrayContaining(next))
  const inLine = await database.db
    .selectFrom('scenario_run')
    .select('id')
    .where('queued_at', 'is not', null)
    .execute()
  expect(late.filter((id) => inLine.some((run) => run.id === id))).toEqual([])
})

it('the reconciler wakes one late run of each unit before the second of any', async () => {
  await database.db.updateTable('scenario_run').set({ observed_version: sql`version` }).execute()
  await peopleWith('many', 60)
  await peopleWith('single', 1)
  const [mass, single] = [await insertScenario(database.db), await insertScenario(database.db)]
  await start(mass, 'many')
  const { runs } = await start(single, 'single')
  await lateOnes()
  expect((await takeRunsToWake(database.db, 6)).map(({ id }) => id)).toContain(runs[0]!.id)
})
