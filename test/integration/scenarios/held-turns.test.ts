import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { advanceRun, type ObservedRunStep } from '../../../src/activities/scenario/advance-run.ts'
import { sayTurn } from '../../../src/activities/scenario/say-turn.ts'
import type { ScenarioState } from '../../../src/contract/enums.ts'
import { restChannel } from '../../../src/db/queries/delivery/provider.ts'
import { setDefaultLimit } from '../../../src/db/queries/quota/ledger.ts'
import { listParked } from '../../../src/db/queries/run/parked.ts'
import { findRun, listTurns } from '../../../src/db/queries/scenario/records.ts'
import { retryTurn } from '../../../src/db/queries/scenario/retry.ts'
import { conversation } from '../../fixtures/conversations.ts'
import { makeDeliveryFixture } from '../../fixtures/delivery.ts'
import { activityAttempt } from '../../fixtures/delivery-steps.ts'
import { insertScenario, insertScenarioRun, scenarioRunRow } from '../../fixtures/scenario-rows.ts'
import { seedCategory } from '../../fixtures/seed.ts'
import { freshDatabase } from '../../harness/database.ts'
import { forFile } from '../../harness/for-file.ts'

const database = forFile(freshDatabase)
const fixture = forFile(() => makeDeliveryFixture(database.db))
beforeAll(async () => {
  await seedCategory(database.db, 'nightly')
})
beforeEach(() => setQuota('enough'))

/** What the pool has left, in this month and for accounts that are created in it. */
async function setQuota(left: 'enough' | 'none'): Promise<void> {
  const limit = left === 'enough' ? 1_000 : 0
  await setDefaultLimit(database.db, { scope: 'pool', channel: 'chat', limit })
  await sql`update quota_ledger set monthly_limit = committed + ${limit} where scope = 'pool'`.execute(
    database.db,
  )
}

/** A run that has something to say since an hour ago, and is late after a minute. */
async function aboutToSpeak() {
  const content = { ...conversation, lateSeconds: 60 }
  const scenario = await insertScenario(database.db, { categoryId: 'nightly', content })
  const id = await insertScenarioRun(database.db, { scenario, columns: { node: 'hello' } })
  await advanceRun(services(), id)
  await database.db
    .updateTable('turn')
    .set({ created_at: new Date(Date.now() - 3_600_000) })
    .where('run_id', '=', id)
    .execute()
  return { id, scenarioId: scenario.id }
}

const services = () => ({ ...fixture.services, wake: () => {} })

/** Tries once to say it; returns what the run does next. */
async function tryToSay(id: string): Promise<ObservedRunStep> {
  await sayTurn({ ...fixture.delivery, services: services() }, activityAttempt(), id)
  return advanceRun(services(), id)
}

/** Brings the end of a wait forward. */
const wait = (id: string) =>
  database.db.updateTable('turn').set({ next_try_at: null }).where('run_id', '=', id).execute()
const setState = (scenarioId: string, state: ScenarioState) =>
  database.db.updateTable('scenario').set({ state }).where('id', '=', scenarioId).execute()

/** Quiet hours around this moment, in the time zone of units; null: none. */
async function setQuietHours(around: boolean): Promise<void> {
  const at = (ms: number) =>
    new Intl.DateTimeFormat('en-GB', { timeZone: 'Asia/Taipei', hour: '2-digit', minute: '2-digit' }).format(
      Date.now() + ms,
    )
  const hours = around ? JSON.stringify({ from: at(-3_600_000), to: at(7_200_000) }) : null
  await database.db.updateTable('category').set({ quiet_hours: hours }).where('id', '=', 'nightly').execute()
}

it('a turn that a pause held back is said, however long that was', async () => {
  const { id, scenarioId } = await aboutToSpeak()
  await setState(scenarioId, 'paused')
  expect(await tryToSay(id)).toMatchObject({ do: 'wait', for: 'resume' })
  await setState(scenarioId, 'active')
  expect(await tryToSay(id)).toMatchObject({ do: 'wait', for: 'answer' })
})

it('a turn waits for the end of the quiet hours, and is said then', async () => {
  const { id } = await aboutToSpeak()
  await setQuietHours(true)
  expect(await tryToSay(id)).toMatchObject({ do: 'wait', for: 'quiet hours' })
  await setQuietHours(false)
  await wait(id)
  expect(await tryToSay(id)).toMatchObject({ do: 'wait', for: 'answer' })
})

it('a run shows that its turn waits for the provider, not for the end of quiet hours', async () => {
  const { id } = await aboutToSpeak()
  await database.db.transaction().execute((trx) => restChannel(trx, 'chat', 60_000))
  const step = await tryToSay(id)
  expect(step).toMatchObject({ do: 'wait', for: 'provider', view: { problem: 'provider' } })
  expect(await listParked(database.db, { after: null, limit: 10 })).toMatchObject([
    { id, problem: 'provider' },
  ])
  const { unit_id: unitId } = await scenarioRunRow(database.db, id)
  expect(await findRun(database.db, id, [unitId])).toMatchObject({ problem: 'provider' })
  expect(await listTurns(database.db, id)).toMatchObject([{ nextTryAt: expect.any(Date) }])
  await database.db.deleteFrom('channel_rest').execute()
  await wait(id)
  await tryToSay(id)
  expect(await findRun(database.db, id, [unitId])).toMatchObject({ problem: null })
  expect(await listTurns(database.db, id)).toMatchObject([{ state: 'sent', nextTryAt: null }])
})

it('a turn that finds no quota for as long as it may is not said', async () => {
  const { id } = await aboutToSpeak()
  await setQuota('none')
  expect(await tryToSay(id)).toMatchObject({ do: 'wait', for: 'quota' })
  await wait(id)
  expect(await tryToSay(id)).toMatchObject({ do: 'end' })
  expect(await scenarioRunRow(database.db, id)).toMatchObject({ state: 'failed', reason: 'expired' })
})

it('a turn that an operator retries has not waited what was left of its wait', async () => {
  const { id } = await aboutToSpeak()
  await setQuota('none')
  expect(await tryToSay(id)).toMatchObject({ do: 'wait', for: 'quota' })
  expect(await database.db.transaction().execute((trx) => retryTurn(trx, id))).toBe(true)
  await setQuota('enough')
  expect(await tryToSay(id)).toMatchObject({ do: 'wait', for: 'answer' })
})
