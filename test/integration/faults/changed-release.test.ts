import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { checkInvariants } from '../../../src/db/queries/doctor/doctor.ts'
import { makeRunsDue, readRunHealth } from '../../../src/db/queries/run/reconcile.ts'
import { workflowIdOf } from '../../../src/domain/run/run-kinds.ts'
import { withStep } from '../../fixtures/changed-workflows.ts'
import { brokenInvariants } from '../../fixtures/invariants.ts'
import { insertMessageRows, makeMove, messageRow, reachSendTime } from '../../fixtures/message-rows.ts'
import { type RunsFixture, startRuns } from '../../fixtures/runs.ts'
import { type FreshDatabase, freshDatabase } from '../../harness/database.ts'
import { eventually } from '../../harness/eventually.ts'
import { countsOf, patient } from './counts.ts'
import { recordMeasurement, secondsOf } from './world/measurements.ts'
import { type OwnTemporal, ownTemporal } from './world/servers.ts'

const hourMs = 3_600_000
/** Fewer sends than a worker has slots for waves: each has calls in flight when the old worker stops. */
const atOnce = 6
/** A run that does not respond is examined every 20 s, and its workflow task is then at its third attempt or later. */
const wedgedMs = 60_000

let temporal: OwnTemporal
let database: FreshDatabase
let runs: RunsFixture
beforeAll(async () => {
  // Temporal forgets workers that are gone after a second instead of five minutes.
  temporal = await ownTemporal(['matching.PollerHistoryTTL="1s"'])
  database = await freshDatabase()
  runs = await startRuns({ db: database.db, address: temporal.address, namespace: 'default' })
})
afterAll(async () => {
  await runs.close()
  await database.drop()
  await temporal.stop()
})

/** The next release: its workflow first does one thing that the runs of the old one have not done. */
const changed = (code: string) => withStep(code, (sdk) => `await (0, ${sdk}.sleep)(1)`)

const rows = (ids: string[]) => Promise.all(ids.map((id) => messageRow(runs.db, id)))
const runIds = (ids: string[]) =>
  Promise.all(
    ids.map(async (id) => {
      const { runId, status } = await runs.temporal.client.workflow
        .getHandle(workflowIdOf('message', id))
        .describe()
      return { runId, status: status.name }
    }),
  )

/** Lets the limits of wedged runs pass, and their next examination come. */
const passLimits = () =>
  sql`update message set wedged_at = wedged_at - interval '10 minutes', wedged_failures = 20,
    woken_at = now() - interval '1 hour' where wedged_at is not null`.execute(runs.db)

it('runs that an upgraded worker cannot replay begin anew from their rows', patient, async () => {
  const { 'runs each': each } = countsOf('changedRelease')
  const insert = (plan: object, count: number = each) =>
    Promise.all(Array.from({ length: count }, () => insertMessageRows(runs.db, plan)))
  const old = await runs.startWorker()
  const waiting = await insert({ sendIn: hourMs, recipients: 20 })
  const reviewed = await insert({ state: 'submitted', recipients: 20 })
  runs.gate.mayPass = 1
  const sending = await insert({ recipients: 6_000 }, Math.min(each, atOnce))
  const all = [...waiting, ...reviewed, ...sending]
  for (const id of all) runs.wake('message', id, [{ name: 'approved' }])
  await eventually(async () => {
    for (const row of await rows([...waiting, ...reviewed])) expect(row.observed_version).toBe(row.version)
    for (const id of sending) {
      const calls = await runs.acceptedOf(id)
      if (calls.length === 0) runs.gate.mayPass = 1 // whichever send's call that is
      expect(calls).not.toEqual([])
    }
    expect(runs.gate.waiting).toBeGreaterThan(0)
  })
  const stopped = old.stop()
  runs.gate.open()
  await stopped
  const before = await runIds(all)

  const careful = await runs.startWorker({ spoil: changed })
  for (const id of waiting) await reachSendTime(runs.db, id)
  for (const id of reviewed) await makeMove(runs.db, id, 'approve')
  await makeRunsDue(runs.db)
  await sql`update message set wake_count = 5`.execute(runs.db)
  const begun = performance.now()
  await eventually(
    async () =>
      expect(await readRunHealth(runs.db)).toMatchObject({
        message: { wedged: all.length, restarted: 0 },
      }),
    { limitMs: wedgedMs },
  )
  const wedgedAfter = performance.now() - begun
  const named = (await checkInvariants(runs.db)).find(({ name }) => name === 'runs-replay')
  expect(named).toMatchObject({ ok: false, count: all.length })

  await passLimits()
  const examined = (await rows(all)).map(({ wake_count }) => wake_count)
  await eventually(async () => {
    for (const [n, { wake_count }] of (await rows(all)).entries())
      expect(wake_count).toBeGreaterThan(examined[n]!)
  })
  expect(await runIds(all)).toEqual(before)
  await careful.stop()

  const worker = await runs.startWorker({ spoil: changed, restartWedged: true })
  await passLimits()
  await eventually(
    async () => {
      expect((await rows(all)).map(({ state }) => state)).toEqual(all.map(() => 'sent'))
      expect(await readRunHealth(runs.db)).toMatchObject({
        message: { wedged: 0, restarted: all.length },
      })
    },
    { limitMs: wedgedMs },
  )
  for (const [n, { runId }] of (await runIds(all)).entries()) expect(runId).not.toBe(before[n]!.runId)
  for (const id of all) {
    const told = (await runs.acceptedOf(id)).flatMap(({ to }) => to)
    expect(told).toHaveLength(new Set(told).size)
    expect(told).toHaveLength(sending.includes(id) ? 6_000 : 20)
  }
  const violated = (await brokenInvariants(runs.db)).map(({ name }) => name)
  expect(violated).toEqual(['trail-leads-to-state']) // the messages were inserted, not created
  await worker.stop()
  recordMeasurement(
    'changedRelease',
    `${all.length} runs; all marked as wedged after ${secondsOf(wedgedAfter)}, all sent after the limits`,
  )
})
