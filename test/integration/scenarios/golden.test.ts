import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { advanceRun } from '../../../src/activities/scenario/advance-run.ts'
import { sendTurn } from '../../../src/activities/scenario/send-turn.ts'
import type { Db } from '../../../src/db/connect.ts'
import { payTurn } from '../../../src/db/queries/quota/turn-payment.ts'
import {
  insertScenarioAnswer,
  lockAnsweredRun,
  lockNewestQuestion,
} from '../../../src/db/queries/scenario-run/answer.ts'
import { observeRun } from '../../../src/db/queries/scenario-run/observe-run.ts'
import { countRuns, listAnswers, listRuns } from '../../../src/db/queries/scenario-run/records.ts'
import { insertRuns } from '../../../src/db/queries/scenario-run/start.ts'
import { claimTurn, endTurn, findPendingTurn, lockTurn } from '../../../src/db/queries/scenario-run/turn.ts'
import { writeMove } from '../../../src/db/queries/scenario-run/write-move.ts'
import { advance } from '../../../src/domain/scenario/advance.ts'
import { makeDeliveryFixture } from '../../fixtures/delivery.ts'
import { activityAttempt } from '../../fixtures/delivery-steps.ts'
import { sqlOf, watchedDatabase } from '../../fixtures/query-plans.ts'
import { insertScenario, insertScenarioRun, scenarioRunRow } from '../../fixtures/scenario-rows.ts'
import { speech } from '../../fixtures/speech.ts'
import { freshDatabase } from '../../harness/database.ts'
import { forFile } from '../../harness/for-file.ts'

/** The SQL of a run's way as it reaches Postgres, so that reviews show its changes. `vitest -u` rewrites it. */

const database = forFile(freshDatabase)
const watched = forFile(() => watchedDatabase(database.url))
const fixture = forFile(() => makeDeliveryFixture(database.db))
const scenario = forFile(() => insertScenario(database.db))

const golden = (name: string) => `../../golden/${name}.sql`
const claimant = { activity: 'run/1' }
const inTransaction = <T>(work: Parameters<ReturnType<Db['transaction']>['execute']>[0]) =>
  watched.db.transaction().execute(work) as Promise<T>

it('starting, observing and moving runs match their golden SQL', async () => {
  const people = {
    ...{ unitId: scenario.unitId, audience: { kind: 'all' as const }, categoryId: scenario.categoryId },
    ...{ plan: { mode: 'all' as const, channels: ['chat' as const] }, layer: 'service' as const },
    ...{ consentScope: null, topicId: null },
  }
  const started = {
    ...{
      scenarioId: scenario.id,
      versionNumber: 1,
      unitId: scenario.unitId,
      node: 'ask',
      people,
      occasion: '',
    },
    ...{
      startId: null,
      startedBy: 'key:test',
      startedByWebhook: null,
      jumps: 0,
      jumpedThrough: [],
      spokeAt: null,
      test: false,
    },
  }
  await expect(
    await sqlOf(watched, () => inTransaction((trx) => insertRuns(trx, started))),
  ).toMatchFileSnapshot(golden('insert-runs'))
  const runId = await insertScenarioRun(database.db, { scenario })
  await expect(await sqlOf(watched, () => observeRun(watched.db, runId))).toMatchFileSnapshot(
    golden('observe-run'),
  )
  const run = (await observeRun(database.db, runId))!
  const { move } = advance(run.facts, run.now, speech)
  await expect(
    await sqlOf(watched, () => writeMove(watched.db, run, move!, { inMs: 60_000 })),
  ).toMatchFileSnapshot(golden('write-move'))
})

it('saying a turn matches its golden SQL', async () => {
  const runId = await insertScenarioRun(database.db, { scenario })
  await advanceRun({ ...fixture.services, wake: () => {} }, runId)
  await expect(await sqlOf(watched, () => findPendingTurn(watched.db, runId))).toMatchFileSnapshot(
    golden('find-turn'),
  )
  const turn = (await findPendingTurn(database.db, runId))!
  await expect(
    await sqlOf(watched, () => inTransaction((trx) => lockTurn(trx, turn, claimant))),
  ).toMatchFileSnapshot(golden('lock-turn'))
  const begun = {
    ...{ channel: 'chat' as const, address: 'U1', compiled: [], by: 'push' as const, retryKey: randomUUID() },
    ...{ replyEventId: null, paid: null },
  }
  const account = { unitId: scenario.unitId, channel: 'chat' as const, month: '2026-11-01' as const }
  await inTransaction((trx) => payTurn(trx, account)) // creates the accounts of the month
  await expect(await sqlOf(watched, () => inTransaction((trx) => payTurn(trx, account)))).toMatchFileSnapshot(
    golden('pay-turn'),
  )
  await expect(
    await sqlOf(watched, () => inTransaction((trx) => claimTurn(trx, turn, claimant, begun))),
  ).toMatchFileSnapshot(golden('claim-turn'))
  await expect(
    await sqlOf(watched, () => endTurn(watched.db, turn, claimant, { state: 'sent', reason: null })),
  ).toMatchFileSnapshot(golden('end-turn'))
})

it('hearing and storing an answer matches its golden SQL', async () => {
  const runId = await insertScenarioRun(database.db, { scenario })
  const subjectId = (await scenarioRunRow(database.db, runId)).subject_id!
  const heard = { runId, subjectId, node: 'ask' }
  const answer = {
    runId,
    node: 'ask',
    optionId: 'yes',
    text: null,
    data: null,
    webhookEventId: null,
    onPage: false,
  }
  await expect(
    await sqlOf(watched, () =>
      inTransaction(async (trx) => {
        await lockNewestQuestion(trx, subjectId, new Date())
        await lockAnsweredRun(trx, heard)
        await insertScenarioAnswer(trx, answer)
      }),
    ),
  ).toMatchFileSnapshot(golden('hear-answer'))
})

it('the lists of runs and answers, and the summary, match their golden SQL', async () => {
  const page = { after: null, limit: 50 }
  await expect(
    await sqlOf(watched, () => listRuns(watched.db, scenario.id, { states: ['waiting'], node: 'ask' }, page)),
  ).toMatchFileSnapshot(golden('list-runs'))
  await expect(
    await sqlOf(watched, () =>
      listAnswers(watched.db, scenario.id, {}, { ...page, after: { runId: randomUUID(), node: 'ask' } }),
    ),
  ).toMatchFileSnapshot(golden('list-answers'))
  await expect(await sqlOf(watched, () => countRuns(watched.db, scenario.id, null))).toMatchFileSnapshot(
    golden('count-runs'),
  )
})

it('a turn costs nine statements, from the wake to the step after it was sent', async () => {
  const services = { ...fixture.services, db: watched.db, wake: () => {} }
  /** The statements of the turn of a new run. */
  async function turnOfNewRun() {
    const runId = await insertScenarioRun(database.db, { scenario })
    watched.asked.length = 0
    await advanceRun(services, runId)
    await sendTurn({ ...fixture.delivery, services }, activityAttempt(), runId)
    await advanceRun(services, runId)
    const turn = database.db.selectFrom('turn').select(['state', 'unit_pushes', 'pool_pushes'])
    expect(await turn.where('run_id', '=', runId).execute()).toEqual([
      { state: 'sent', unit_pushes: 0, pool_pushes: 1 },
    ])
    return watched.asked.filter(({ sql }) => !/^(begin|commit)/.test(sql))
  }
  await turnOfNewRun() // creates the accounts of the month
  expect(await turnOfNewRun()).toHaveLength(9)
})
