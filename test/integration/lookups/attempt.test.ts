import { beforeAll, beforeEach, expect, it } from 'vitest'
import { lookupErrors } from '../../../src/contract/enums.ts'
import { limits } from '../../../src/contract/limits.ts'
import { beginLookup, endLookup } from '../../../src/db/queries/lookup/lookup.ts'
import { insertRow, updateRows } from '../../fixtures/rows.ts'
import { seedCategory, seedUnit } from '../../fixtures/seed.ts'
import { freshDatabase } from '../../harness/database.ts'
import { forFile } from '../../harness/for-file.ts'
import { newScenarioRun } from './scenario-run.ts'

let unitId: string
let runId: string

const database = forFile(freshDatabase)
beforeAll(async () => {
  unitId = await seedUnit(database.db, 'Admissions')
  await seedCategory(database.db, 'news')
})
beforeEach(async () => {
  await database.db.deleteFrom('scenario_run').execute()
  runId = (await newScenarioRun(database.db, { unitId, node: 'ask' })).runId
})

const origin = 'https://orders.example.edu'
const begin = (node = 'ask') => beginLookup(database.db, { runId, node, origin })
const end = (outcome: Parameters<typeof endLookup>[3]) =>
  database.db.transaction().execute((trx) => endLookup(trx, runId, 'ask', outcome))
const row = () => database.db.selectFrom('lookup').selectAll().executeTakeFirst()

it('is stored before the call, and made by one worker', async () => {
  const begun = await Promise.all(Array.from({ length: 20 }, () => begin()))
  expect(begun.filter((one) => one === 'begun')).toHaveLength(1)
  expect(await row()).toMatchObject({ node: 'ask', outcome: null, ended_at: null, dropped: 0 })
})

it('is lost where a worker began it and stored no outcome', async () => {
  await begin()
  expect(await begin()).toBe('lost')
})

it.each([...lookupErrors, 'found'] as const)('has one outcome (%s), and is over then', async (outcome) => {
  await begin()
  expect(await end({ outcome, dropped: 2 })).toBe(true)
  expect(await begin()).toBe('over')
  expect(await end({ outcome: 'timeout' })).toBe(false)
  expect(await row()).toMatchObject({ outcome, dropped: 2, ended_at: expect.any(Date) })
})

/** Lookups that other workers have begun, so many seconds ago. */
async function othersBegan(count: number, { secondsAgo = 2, ended = false, at = origin } = {}) {
  const started_at = new Date(Date.now() - secondsAgo * 1_000)
  for (let n = 0; n < count; n += 1) {
    const other = await newScenarioRun(database.db, { unitId, node: 'ask' })
    await insertRow(database.db, 'lookup', {
      ...{ run_id: other.runId, node: 'ask', origin: at, started_at },
      ...(ended && { outcome: 'found', ended_at: new Date() }),
    })
  }
}

it('is not begun beside as many as its origin may have under way, in whatever workers', async () => {
  await othersBegan(limits.lookupsAtOnce - 1)
  await othersBegan(1, { at: 'https://other.example.edu' })
  await othersBegan(1, { ended: true })
  await othersBegan(1, { secondsAgo: 20 }) // lost with its worker
  expect(await begin()).toBe('begun')
  runId = (await newScenarioRun(database.db, { unitId, node: 'ask' })).runId
  expect(await begin()).toEqual({ waitMs: expect.any(Number) })
  await database.db.updateTable('lookup').set({ outcome: 'found', ended_at: new Date() }).execute()
  expect(await begin()).toBe('begun')
})

it('is not begun within a second of as many as its origin may have in one', async () => {
  await othersBegan(limits.lookupsPerSecond, { secondsAgo: -60, ended: true })
  expect(await begin()).toEqual({ waitMs: expect.any(Number) })
  await updateRows(database.db, 'lookup', {}, { started_at: new Date(Date.now() - 1_001) })
  expect(await begin()).toBe('begun')
})

it('is not made where the run is at another node, has ended, or its scenario is retired', async () => {
  const { db } = database
  expect(await begin('other')).toBe('over')
  await db.updateTable('scenario').set({ state: 'retired' }).execute()
  expect(await begin()).toBe('over')
  await db.updateTable('scenario').set({ state: 'active' }).execute()
  await db.updateTable('scenario_run').set({ state: 'cancelled', closed_at: new Date() }).execute()
  expect(await begin()).toBe('over')
  expect(await row()).toBeUndefined()
})

it('is not made once the person has withdrawn consent', async () => {
  const { db } = database
  await db.updateTable('category').set({ consent_scope: 'study' }).execute()
  expect(await begin()).toBe('over')
  expect(await row()).toBeUndefined()
  const { subject_id } = await db.selectFrom('scenario_run').select('subject_id').executeTakeFirstOrThrow()
  const consent = { subject_id: subject_id!, scope: 'study', version: '1', source: 'test' }
  await db.insertInto('consent').values(consent).execute()
  expect(await begin()).toBe('begun')
  await db.updateTable('category').set({ consent_scope: null }).execute()
})

it('ends with its transaction', async () => {
  await begin()
  const rolledBack = database.db.transaction().execute(async (trx) => {
    await endLookup(trx, runId, 'ask', { outcome: 'found' })
    throw new Error('the step failed')
  })
  await expect(rolledBack).rejects.toThrow('the step failed')
  expect(await begin()).toBe('lost')
})
