import { afterAll, beforeAll, expect, it } from 'vitest'
import { countsOf, patient } from './counts.ts'
import { type Archive, startArchive } from './world/archive.ts'
import { type Installation, startInstallation } from './world/installation.ts'
import { expectInvariants } from './world/invariants.ts'
import { recordMeasurement, secondsOf } from './world/measurements.ts'
import { insertCrowd } from './world/people.ts'
import type { PlannedMessage } from './world/producer.ts'
import { farAhead, reschedule } from './world/reschedule.ts'
import { type OwnPostgres, type OwnTemporal, ownPostgres, ownTemporal } from './world/servers.ts'
import { forever } from './world/simulator.ts'
import { untilSent, untilSentTo } from './world/wait-for.ts'

const people = 6_000

let servers: OwnPostgres[]
let temporal: OwnTemporal
let archive: Archive
let installation: Installation
beforeAll(async () => {
  servers = [await ownPostgres()]
  temporal = await ownTemporal()
  archive = await startArchive(servers[0]!)
  installation = await startInstallation({ postgres: servers[0]!, temporal })
})
afterAll(async () => {
  await installation.close()
  for (const server of [...servers, temporal]) await server.stop()
})

it('everything goes on from a restored backup, with an empty Temporal', patient, async () => {
  const { messages: count } = countsOf('restored')
  const api = await installation.startApi()
  const worker = await installation.startWorker()
  const few = await insertCrowd(installation.db, 3)
  const make = (times: object = {}) => Array.from({ length: count }, () => installation.plan(few, times))
  const send = async (messages: PlannedMessage[]) => {
    for (const message of messages) await api.send(message)
    return messages
  }
  const sent = await send(make())
  await untilSent(installation, sent)
  await archive.backUp()

  // All of this is in the log alone.
  const later = await send(make())
  const scheduled = await send(make({ scheduleAt: farAhead() }))
  const submitted = make()
  for (const message of submitted) {
    await api.patient.create(message)
    await api.patient.submit(message)
  }
  await untilSent(installation, later)
  await installation.simulator.fault({ delayMs: 300, times: forever })
  const sending = await api.send(installation.plan(await insertCrowd(installation.db, people)))
  await untilSentTo(installation, sending, 500)
  for (const process of [worker, api.process]) {
    process.signal('SIGKILL')
    await process.exited
  }
  await archive.complete()
  await Promise.all([servers[0]!.kill(), temporal.wipe()])

  const begun = performance.now()
  servers = [await archive.restore()]
  const restored = performance.now() - begun
  await temporal.start()
  // In the order of docs/operating.md: first the API alone, and nothing is sent that was being sent.
  const anew = await installation.startApi()
  expect(await anew.patient.pause(sending)).toMatchObject({ status: 200 })
  await installation.carillon('reconcile')
  await installation.startWorker()
  expect(await anew.patient.resume(sending)).toMatchObject({ status: 200 })
  for (const message of submitted) expect(await anew.patient.approve(message)).toMatchObject({ status: 200 })
  await reschedule(installation, scheduled, { scheduleAt: Date.now() })
  await untilSent(installation, [...sent, ...later, ...scheduled, ...submitted, sending])
  const took = performance.now() - begun
  await expectInvariants(installation)
  recordMeasurement(
    'restored',
    `${4 * count + 1} messages; Postgres restored after ${secondsOf(restored)}, all sent after ${secondsOf(took)}`,
  )
})
