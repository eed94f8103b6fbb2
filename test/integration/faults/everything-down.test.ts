import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeRunsDue } from '../../../src/db/queries/run/reconcile.ts'
import { eventually } from '../../harness/eventually.ts'
import { countsOf, patient } from './counts.ts'
import { type Installation, startInstallation } from './world/installation.ts'
import { expectInvariants } from './world/invariants.ts'
import { accepted } from './world/journal.ts'
import { recordMeasurement, secondsOf } from './world/measurements.ts'
import { insertCrowd } from './world/people.ts'
import type { PlannedMessage } from './world/producer.ts'
import { farAhead, reschedule } from './world/reschedule.ts'
import { type OwnPostgres, type OwnTemporal, ownPostgres, ownTemporal } from './world/servers.ts'
import { forever } from './world/simulator.ts'
import { untilClosed, untilObserved, untilSent } from './world/wait-for.ts'

/** The runs set their timers, and all processes are killed, before that. */
const dueInMs = 5_000
const pastDueMs = 2_000
const seenMs = 20_000

let postgres: OwnPostgres
let temporal: OwnTemporal
let installation: Installation
beforeAll(async () => {
  ;[postgres, temporal] = await Promise.all([ownPostgres(), ownTemporal()])
  installation = await startInstallation({ postgres, temporal })
})
afterAll(async () => {
  await installation.close()
  await Promise.all([postgres.stop(), temporal.stop()])
})

/** Waits until the runs have observed their current times. */
async function untilRowsObserved(messages: PlannedMessage[]): Promise<void> {
  await eventually(async () => {
    const { rows } = await sql`
      select from message where id = any(${messages.map(({ id }) => id)}::uuid[]) and next_wakeup_at < schedule_at
    `.execute(installation.db)
    expect(rows).toEqual([])
  })
}

it('what was due while everything was down is sent late, or has expired', patient, async () => {
  const { messages: count } = countsOf('everythingDown')
  const api = await installation.startApi()
  const worker = await installation.startWorker()
  const crowd = await insertCrowd(installation.db, 3)
  await untilSent(installation, [await api.send(installation.plan(crowd))]) // it all works

  const planned = { scheduleAt: farAhead() }
  const ending = { ...planned, expiresAt: planned.scheduleAt + pastDueMs }
  const late = Array.from({ length: count / 2 }, () => installation.plan(crowd, planned))
  const tooLate = late.map(() => installation.plan(crowd, ending))
  for (const message of [...late, ...tooLate]) await api.send(message)
  await untilObserved(installation, [...late, ...tooLate], seenMs)
  // Makes the provider reject what a machine that is slow to kill sends before.
  await installation.simulator.fault({ status: 429, times: forever })
  const scheduleAt = Date.now() + dueInMs
  const expiresAt = scheduleAt + pastDueMs
  await reschedule(installation, late, { scheduleAt })
  await reschedule(installation, tooLate, { scheduleAt, expiresAt })
  await makeRunsDue(installation.db)
  await untilRowsObserved([...late, ...tooLate])
  for (const process of [api.process, worker]) process.signal('SIGKILL')
  await Promise.all([postgres.kill(), temporal.kill()])

  await sleep(Math.max(0, expiresAt + pastDueMs - Date.now()))
  await installation.simulator.forgetFaults()
  await Promise.all([postgres.start(), temporal.start()])
  const back = performance.now()
  await installation.startApi()
  await installation.startWorker()
  await untilSent(installation, late)
  await untilClosed(installation, tooLate, 'expired')
  const took = performance.now() - back
  expect(accepted(installation.simulator.journal())).toHaveLength(2 * (1 + late.length)) // two locales each
  await expectInvariants(installation)
  recordMeasurement(
    'everythingDown',
    `${count} messages; sent or expired ${secondsOf(took)} after the servers were back`,
  )
})
