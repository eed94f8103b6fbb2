import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { countsOf, patient } from './counts.ts'
import { untilClosed, untilSent } from './world/await.ts'
import { expectInvariants } from './world/invariants.ts'
import { measured, secondsOf } from './world/measured.ts'
import { plant } from './world/people.ts'
import { type OwnPostgres, type OwnTemporal, ownPostgres, ownTemporal } from './world/servers.ts'
import { openWorld, type World } from './world/world.ts'

/** Long enough to approve all and to kill everybody. */
const dueInMs = 10_000
const pastDueMs = 2_000

let postgres: OwnPostgres
let temporal: OwnTemporal
let world: World
beforeAll(async () => {
  ;[postgres, temporal] = await Promise.all([ownPostgres(), ownTemporal()])
  world = await openWorld({ postgres, temporal })
})
afterAll(async () => {
  await world.close()
  await Promise.all([postgres.stop(), temporal.stop()])
})

it('what was due while everything was down is sent late, or has expired', patient, async () => {
  const { messages: count } = countsOf('everythingDown')
  const api = await world.startApi()
  const worker = await world.startWorker()
  const crowd = await plant(world.db, 3)
  await untilSent(world, [await api.send(world.plan(crowd))]) // it all works

  const scheduleAt = Date.now() + dueInMs
  const expiresAt = scheduleAt + pastDueMs
  const late = Array.from({ length: count / 2 }, () => world.plan(crowd, { scheduleAt }))
  const tooLate = Array.from({ length: count / 2 }, () => world.plan(crowd, { scheduleAt, expiresAt }))
  for (const message of [...late, ...tooLate]) await api.send(message)
  expect(Date.now()).toBeLessThan(scheduleAt)
  for (const process of [api.process, worker]) process.signal('SIGKILL')
  await Promise.all([postgres.kill(), temporal.kill()])

  await sleep(Math.max(0, expiresAt + pastDueMs - Date.now()))
  await Promise.all([postgres.start(), temporal.start()])
  const back = performance.now()
  await world.startApi()
  await world.startWorker()
  await untilSent(world, late)
  await untilClosed(world, tooLate, 'expired')
  const took = performance.now() - back
  expect(world.simulator.journal()).toHaveLength(2 * (1 + late.length)) // two locales each
  await expectInvariants(world)
  measured(
    'everythingDown',
    `${count} messages; sent or expired ${secondsOf(took)} after the servers were back`,
  )
})
