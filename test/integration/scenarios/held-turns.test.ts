import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Advanced, advanceRun } from '../../../src/activities/scenario/advance-run.ts'
import { sendTurn } from '../../../src/activities/scenario/send-turn.ts'
import type { ScenarioState } from '../../../src/contract/enums.ts'
import { limits } from '../../../src/contract/limits.ts'
import type { Trx } from '../../../src/db/connect.ts'
import { restChannel } from '../../../src/db/queries/delivery/provider.ts'
import { setDefaultLimit } from '../../../src/db/queries/quota/ledger.ts'
import { listParked } from '../../../src/db/queries/run/parked.ts'
import { findAnsweredRun } from '../../../src/db/queries/scenario-run/answer.ts'
import { hasPushesLeft } from '../../../src/db/queries/scenario-run/pushes.ts'
import { findRun, listTurns } from '../../../src/db/queries/scenario-run/records.ts'
import { retryTurn } from '../../../src/db/queries/scenario-run/retry.ts'
import { autoReply } from '../../../src/domain/scenario/auto-reply.ts'
import { questionStatus } from '../../../src/services/scenario-runs/record-answer.ts'
import { conversation } from '../../fixtures/conversations.ts'
import { forSends } from '../../fixtures/delivery.ts'
import { activityAttempt } from '../../fixtures/delivery-steps.ts'
import { updateRows } from '../../fixtures/rows.ts'
import { insertScenario, insertScenarioRun, scenarioRunRow } from '../../fixtures/scenario-rows.ts'
import { seedCategory } from '../../fixtures/seed.ts'
import { commitWhileBlocked } from '../../harness/lock-waits.ts'

const { database, shared: fixture } = forSends()
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
  await updateRows(database.db, 'turn', { run_id: id }, { created_at: new Date(Date.now() - 3_600_000) })
  return { id, scenarioId: scenario.id }
}

const services = () => ({ ...fixture.services, wake: () => {} })

/** Tries once to say it; returns what the run does next. */
async function tryToSay(id: string): Promise<Advanced> {
  await sendTurn({ ...fixture.delivery, services: services() }, activityAttempt(), id)
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
  expect(await tryToSay(id)).toMatchObject({ at: 'resume' })
  await setState(scenarioId, 'active')
  expect(await tryToSay(id)).toMatchObject({ at: 'answer' })
})

it('a turn waits for the end of the quiet hours, and is said then', async () => {
  const { id } = await aboutToSpeak()
  await setQuietHours(true)
  expect(await tryToSay(id)).toMatchObject({ at: 'quiet hours' })
  await setQuietHours(false)
  await wait(id)
  expect(await tryToSay(id)).toMatchObject({ at: 'answer' })
})

it('a run shows that its turn waits for the provider, not for the end of quiet hours', async () => {
  const { id } = await aboutToSpeak()
  await database.db.transaction().execute((trx) => restChannel(trx, 'chat', 60_000))
  const step = await tryToSay(id)
  expect(step).toMatchObject({ at: 'provider', problem: 'provider' })
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
  expect(await tryToSay(id)).toMatchObject({ at: 'quota' })
  await wait(id)
  expect(await tryToSay(id)).toMatchObject({ at: 'ended' })
  expect(await scenarioRunRow(database.db, id)).toMatchObject({ state: 'failed', reason: 'expired' })
})

it('a turn that an operator retries has not waited what was left of its wait', async () => {
  const { id } = await aboutToSpeak()
  await setQuota('none')
  expect(await tryToSay(id)).toMatchObject({ at: 'quota' })
  expect(await database.db.transaction().execute((trx) => retryTurn(trx, id))).toBe(true)
  await setQuota('enough')
  expect(await tryToSay(id)).toMatchObject({ at: 'answer' })
})

describe('what a person starts', () => {
  /** A run that its person has started, and that has pushed something so often a few hours ago. */
  async function startedByPerson(pushes: number, hoursAgo = 3) {
    const { id } = await aboutToSpeak()
    const { subject_id: subjectId, unit_id: unitId } = await scenarioRunRow(database.db, id)
    await updateRows(database.db, 'scenario_run', { id }, { started_by: `recipient:${subjectId}` })
    const at = new Date(Date.now() - hoursAgo * 3_600_000)
    await sql`
      insert into turn (run_id, number, first_node, last_node, subject_id, unit_id, answers_person, locale, state, closed_at,
        channel, by, first_try_at, tries, unit_pushes)
      select ${id}, -number, 'x', 'x', ${subjectId}, ${unitId}, true, 'zh-TW', 'sent', ${at}, 'chat', 'push', ${at}, 1, 1
      from generate_series(1, ${pushes}) as number`.execute(database.db)
    return id
  }

  it('is pushed until it has cost as many pushes in a day as it may; the run then ends with the reason', async () => {
    const id = await startedByPerson(limits.startedPushesPerPersonDay - 1)
    expect(await tryToSay(id)).toMatchObject({ at: 'answer' })
    const spent = await startedByPerson(limits.startedPushesPerPersonDay)
    expect(await tryToSay(spent)).toMatchObject({ at: 'ended' })
    expect(await scenarioRunRow(database.db, spent)).toMatchObject({
      state: 'failed',
      reason: 'pushes_spent',
    })
    expect(await listTurns(database.db, spent)).toContainEqual(
      expect.objectContaining({ state: 'skipped', reason: 'pushes_spent' }),
    )
  })

  it('is pushed again a day later, and what others start always is', async () => {
    const id = await startedByPerson(limits.startedPushesPerPersonDay, 25)
    expect(await tryToSay(id)).toMatchObject({ at: 'answer' })
    const others = await startedByPerson(limits.startedPushesPerPersonDay)
    await updateRows(database.db, 'scenario_run', { id: others }, { started_by: 'key:other' })
    expect(await tryToSay(others)).toMatchObject({ at: 'answer' })
  })

  it('takes the last push of the day once, of two conversations at the same moment', async () => {
    const id = await startedByPerson(limits.startedPushesPerPersonDay - 1)
    const { subject_id: subjectId, unit_id: unitId } = await scenarioRunRow(database.db, id)
    const left = (trx: Trx) =>
      hasPushesLeft(trx, { subjectId: subjectId!, unitId }, limits.startedPushesPerPersonDay)
    const pushed = sql`update turn set by = 'push', unit_pushes = 1, first_try_at = now()
      where run_id = ${id} and state = 'pending'`
    const second = await commitWhileBlocked(
      database.db,
      async (trx) => {
        expect(await left(trx)).toBe(true)
        await pushed.execute(trx)
      },
      () => database.db.transaction().execute(left),
    )
    expect(second).toBe(false)
  })

  it('tells who answers afterwards that the day is over for it', async () => {
    const id = await startedByPerson(0)
    await tryToSay(id)
    await database.db
      .updateTable('scenario_run')
      .set({ state: 'failed', reason: 'pushes_spent', closed_at: new Date() })
      .where('id', '=', id)
      .execute()
    const { subject_id: subjectId } = await scenarioRunRow(database.db, id)
    const run = await findAnsweredRun(database.db, { runId: id, subjectId: subjectId!, node: 'ask' })
    expect(questionStatus(run!, null, new Date())).toEqual({ is: 'pushes_spent' })
    expect(autoReply({ kind: 'pushes_spent' })['zh-TW']).toContain('明天')
  })
})
