import { sql } from 'kysely'
import { Registry } from 'prom-client'
import { afterEach, describe, expect, it } from 'vitest'
import { checkInvariants } from '../../../src/db/queries/doctor/doctor.ts'
import { recordObservedVersion } from '../../../src/db/queries/run/observed-version.ts'
import { listParked } from '../../../src/db/queries/run/parked.ts'
import { makeRunsDue, readRunHealth, takeRunsToWake } from '../../../src/db/queries/run/reconcile.ts'
import { countStepFailure } from '../../../src/db/queries/run/step-failure.ts'
import { recordTaskFailures } from '../../../src/db/queries/run/wedged.ts'
import { workflowIdOf } from '../../../src/domain/run/run-kinds.ts'
import { registerRowMetrics } from '../../../src/metrics/rows.ts'
import { restartEndedRuns } from '../../../src/temporal/reconciler.ts'
import { insertMessageRows } from '../../fixtures/message-rows.ts'
import { openRuns } from '../../fixtures/open-runs.ts'
import {
  insertScenario,
  insertScenarioRun,
  scenarioName,
  scenarioRunRow,
  scenarioText,
} from '../../fixtures/scenario-rows.ts'
import { eventually } from '../../harness/eventually.ts'
import { forFile } from '../../harness/for-file.ts'
import { payloadsOf } from '../../histories/load.ts'

/** No worker: the tests see what Temporal is told. */
const runs = forFile(openRuns)
afterEach(async () => {
  await sql`update message set closed_at = now(), observed_version = version, next_wakeup_at = null`.execute(
    runs.db,
  )
  await sql`delete from scenario_run`.execute(runs.db)
})

const runOf = (id: string) => runs.temporal.client.workflow.getHandle(workflowIdOf('scenario', id))
const lateSince = (minutes: number) => ({ changed_at: new Date(Date.now() - minutes * 60_000) })

describe('a run of a scenario', () => {
  it('is started by a wake, and shown without the person and the texts', async () => {
    const scenario = await insertScenario(runs.db)
    const id = await insertScenarioRun(runs.db, { scenario, columns: { problem: 'quota' } })
    runs.wake('scenario', id, [{ name: 'overdue' }])
    await eventually(async () => expect((await runOf(id).describe()).status.name).toBe('RUNNING'))
    const run = await runOf(id).describe()
    expect(run.type).toBe('scenarioRun')
    expect(run.priority).toMatchObject({ fairnessKey: scenario.unitId })
    expect(run.searchAttributes).toMatchObject({
      CarillonUnit: [scenario.unitId],
      CarillonCategory: ['advice'],
      CarillonState: ['running'],
      CarillonProblem: ['quota'],
      CarillonPeople: [1],
    })
    expect(await run.staticSummary()).toMatch(
      new RegExp(`^advice from 學務處 .*, scenario ${scenario.id}, version 1$`),
    )
    expect(await run.staticDetails()).toContain(`\`${scenario.id}\`, version 1`)
    const { uid } = await runs.db
      .selectFrom('subject')
      .innerJoin('scenario_run', 'subject_id', 'subject.id')
      .select('uid')
      .where('scenario_run.id', '=', id)
      .executeTakeFirstOrThrow()
    const told = payloadsOf(await runOf(id).fetchHistory()).join()
    expect(told).toContain(id)
    expect(told).not.toContain(uid)
    expect(told).not.toContain(scenarioText)
    expect(told).not.toContain(scenarioName)
  })

  it('is restarted when it was ended in Temporal while its row is open, beside a message', async () => {
    const id = await insertScenarioRun(runs.db, { columns: { observed_version: 1 } })
    const messageId = await insertMessageRows(runs.db)
    await sql`update message set observed_version = version where id = ${messageId}`.execute(runs.db)
    const message = runs.temporal.client.workflow.getHandle(workflowIdOf('message', messageId))
    runs.wake('scenario', id, [{ name: 'overdue' }])
    runs.wake('message', messageId, [{ name: 'approved' }])
    for (const run of [runOf(id), message]) {
      await eventually(async () => expect((await run.describe()).status.name).toBe('RUNNING'))
      await run.terminate('by hand')
    }
    const round = restartEndedRuns(runs.parts)
    await eventually(async () => {
      await round()
      const { rows } = await sql`
        select id from message where next_wakeup_at < now()
        union all select id from scenario_run where next_wakeup_at < now()`.execute(runs.db)
      expect(rows).toHaveLength(2)
    })
  })

  it('whose step fails twenty times is parked, and mails nobody', async () => {
    const id = await insertScenarioRun(runs.db, { columns: { observed_version: 1 } })
    const run = { kind: 'scenario', id } as const
    for (let failures = 1; failures < 20; failures += 1)
      expect(await countStepFailure(runs.db, run)).toBe(false)
    expect(await countStepFailure(runs.db, run)).toBe(true)
    expect(await scenarioRunRow(runs.db, id)).toMatchObject({ problem: 'internal', step_failures: 20 })
    expect(await listParked(runs.db, { after: null, limit: 10 })).toMatchObject([
      { kind: 'scenario', id, problem: 'internal' },
    ])
    expect(await runs.db.selectFrom('author_notice').selectAll().execute()).toEqual([])

    expect(await recordObservedVersion(runs.db, run, 1, null, 'parked')).toBe(true)
    expect(await scenarioRunRow(runs.db, id)).toMatchObject({ problem: 'internal', step_failures: 0 })
    expect(await recordObservedVersion(runs.db, run, 1, { inMs: 60_000 })).toBe(true)
    const row = await scenarioRunRow(runs.db, id)
    expect(row).toMatchObject({ problem: null, step_parked_at: null })
    expect(row.next_wakeup_at!.getTime()).toBeGreaterThan(Date.now())
    expect(await recordObservedVersion(runs.db, run, 0, null)).toBe(false)
  })

  it('keeps the problem of what it says when its step is tried again', async () => {
    const id = await insertScenarioRun(runs.db, { columns: { problem: 'provider' } })
    await recordObservedVersion(runs.db, { kind: 'scenario', id }, 1, null)
    expect(await scenarioRunRow(runs.db, id)).toMatchObject({ problem: 'provider', observed_version: 1 })
  })
})

describe('the reconciler', () => {
  it('gives each kind its share of a round, and what one leaves of it to the others', async () => {
    const scenario = await insertScenario(runs.db)
    for (let n = 0; n < 12; n += 1) await insertScenarioRun(runs.db, { scenario, columns: lateSince(5) })
    for (let n = 0; n < 3; n += 1) await insertMessageRows(runs.db)
    await sql`update message set changed_at = now() - interval '1 minute' where closed_at is null`.execute(
      runs.db,
    )
    const kinds = (await takeRunsToWake(runs.db, 10)).map(({ kind }) => kind)
    expect(kinds.filter((kind) => kind === 'message')).toHaveLength(3)
    expect(kinds.filter((kind) => kind === 'scenario')).toHaveLength(7)
    expect(await takeRunsToWake(runs.db, 10)).toHaveLength(5)
    expect(await takeRunsToWake(runs.db, 10)).toEqual([])
  })

  it('takes what has changed before what waits, after all were made due; or only one kind is', async () => {
    const scenario = await insertScenario(runs.db)
    const waiting = { observed_version: 1, next_wakeup_at: new Date(Date.now() + 3_600_000) }
    for (let n = 0; n < 6; n += 1) await insertScenarioRun(runs.db, { scenario, columns: waiting })
    const answered = await insertScenarioRun(runs.db, {
      scenario,
      columns: { ...waiting, version: 2, ...lateSince(1) },
    })
    for (let n = 0; n < 6; n += 1) await insertScenarioRun(runs.db, { scenario, columns: waiting })
    expect(await makeRunsDue(runs.db, ['message'])).toEqual({ message: 0, scenario: 0, schedule: 0 })
    expect(await makeRunsDue(runs.db)).toEqual({ message: 0, scenario: 13, schedule: 0 })
    const [first] = await takeRunsToWake(runs.db, 3)
    expect(first!.id).toBe(answered)
  })

  it('counts late and wedged runs by kind, and doctor names them', async () => {
    const id = await insertScenarioRun(runs.db, { columns: lateSince(2) })
    expect(await recordTaskFailures(runs.db, { kind: 'scenario', id, wakes: 0 }, 3)).toMatchObject({
      failures: 3,
    })
    expect(await readRunHealth(runs.db)).toMatchObject({
      message: { overdue: 0, wedged: 0, oldestSeconds: 0 },
      scenario: { overdue: 1, wedged: 1 },
    })
    const registry = new Registry()
    registerRowMetrics({ db: runs.db, quotaTimeZone: 'Asia/Taipei' }, registry)
    const metrics = await registry.metrics()
    expect(metrics).toContain('carillon_runs{kind="scenario",state="wedged"} 1\n')
    expect(metrics).toContain('carillon_runs{kind="message",state="wedged"} 0\n')
    const findings = await checkInvariants(runs.db)
    const named = (name: string) => findings.find((finding) => finding.name === name)!.violations
    expect(named('runs-on-time')).toEqual([`scenario run ${id}: running`])
    expect(named('runs-replay')).toEqual([expect.stringContaining(`scenario run ${id}: wedged since`)])
  })
})
