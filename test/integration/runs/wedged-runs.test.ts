import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { takeRunsToWake } from '../../../src/db/queries/run/reconcile.ts'
import { workflowIdOf } from '../../../src/domain/run/run-kinds.ts'
import { openTemporal, type Temporal } from '../../../src/temporal/client.ts'
import { examineRun } from '../../../src/temporal/wedged-runs.ts'
import { insertMessageRows, messageRow } from '../../fixtures/message-rows.ts'
import { type RunsFixture, startRuns } from '../../fixtures/runs.ts'
import { type SlowEnd, startSlowEnd } from '../../fixtures/slow-end.ts'
import { type FreshDatabase, freshDatabase } from '../../harness/database.ts'
import { eventually } from '../../harness/eventually.ts'
import { freshNamespace } from '../../harness/namespace.ts'

let database: FreshDatabase
let runs: RunsFixture
let end: SlowEnd
/** Reaches the same server as `runs`, through `end`. */
let temporal: Temporal
beforeAll(async () => {
  const place = await freshNamespace()
  database = await freshDatabase()
  runs = await startRuns({ ...place, db: database.db })
  end = await startSlowEnd(place.address)
  temporal = openTemporal({ ...place, address: end.address })
  const broken = await runs.startWorker({
    spoil: (code) => code.replace('const heard = told.take();', 'told.fails();'),
  })
  await broken.reconciler.stop()
})
afterAll(async () => {
  await temporal.close()
  await end.close()
  await runs.close()
  await database.drop()
})

/** Takes a run whose code fails, and which has been wedged for longer than both limits. */
async function wedgedForLong(): Promise<string> {
  const id = await insertMessageRows(runs.db)
  runs.wake('message', id, [{ name: 'approved' }])
  await eventually(async () => {
    const { raw } = await runOf(id).describe()
    expect(raw.pendingWorkflowTask?.attempt).toBeGreaterThan(1)
  })
  await sql`update message set wedged_at = now() - interval '11 minutes', wedged_failures = 20, wake_count = 6
    where id = ${id}`.execute(runs.db)
  return id
}

const runOf = (id: string) => runs.temporal.client.workflow.getHandle(workflowIdOf('message', id))
const statusOf = async (id: string) => (await runOf(id).describe()).status.name

async function examine(id: string): Promise<void> {
  await sql`update message set woken_at = now() - interval '1 hour', changed_at = now() - interval '1 hour'
    where id = ${id}`.execute(runs.db)
  const late = await takeRunsToWake(runs.db, 50)
  const run = late.find((one) => one.id === id)!
  await examineRun({ ...runs.parts, temporal }, run, { restart: true, release: 'changed' })
}

it('a run that Temporal ends without an answer in time counts as restarted, with new limits', async () => {
  const id = await wedgedForLong()
  const { wedged_at: before } = await messageRow(runs.db, id)
  end.terminate = 'unanswered'
  await examine(id)
  expect(await statusOf(id)).toBe('TERMINATED')
  const row = await messageRow(runs.db, id)
  expect(row).toMatchObject({ run_restarted_at: expect.any(Date), wedged_failures: 0 })
  expect(row.wedged_at!.getTime()).toBeGreaterThan(before!.getTime())
})

it('a run that Temporal refuses to end keeps its limits, and is ended at the next examination', async () => {
  const id = await wedgedForLong()
  const { wedged_at: before } = await messageRow(runs.db, id)
  end.terminate = 'refused'
  await expect(examine(id)).rejects.toThrow()
  expect(await statusOf(id)).toBe('RUNNING')
  const refused = await messageRow(runs.db, id)
  expect(refused).toMatchObject({ run_restarted_at: expect.any(Date), wedged_at: before })
  expect(refused.wedged_failures).toBeGreaterThanOrEqual(20)
  end.terminate = 'passes'
  await examine(id)
  expect(await statusOf(id)).toBe('TERMINATED')
  expect(await messageRow(runs.db, id)).toMatchObject({ wedged_failures: 0 })
})

it('a wedged run that has ended by the next examination begins with new limits', async () => {
  const id = await wedgedForLong()
  await runOf(id).terminate('as an end whose request arrived late')
  const { wedged_at: before } = await messageRow(runs.db, id)
  await examine(id)
  const row = await messageRow(runs.db, id)
  expect(row).toMatchObject({ wedged_failures: 0, run_restarted_at: null })
  expect(row.wedged_at!.getTime()).toBeGreaterThan(before!.getTime())
})
