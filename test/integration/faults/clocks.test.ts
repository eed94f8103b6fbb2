import { afterAll, beforeAll, expect, it } from 'vitest'
import { eventually } from '../../harness/eventually.ts'
import { countsOf, patient } from './counts.ts'
import { statesOf, untilSent } from './world/await.ts'
import { expectInvariants } from './world/invariants.ts'
import { accepted } from './world/journal.ts'
import { measured, spread } from './world/measured.ts'
import { plant } from './world/people.ts'
import type { Planned } from './world/producer.ts'
import { always } from './world/simulator.ts'
import { type Api, openWorld, type World } from './world/world.ts'

const apartMs = 5_000
const dueInMs = 6_000

let world: World
let api: Api
beforeAll(async () => {
  world = await openWorld()
  api = await world.startApi()
})
afterAll(() => world.close())

async function untilClosed(messages: Planned[]): Promise<void> {
  await eventually(
    async () => {
      const standing = await statesOf(world, messages)
      for (const { id } of messages) expect(standing.get(id)).toMatchObject({ closed: true })
    },
    { timeoutMs: 120_000 },
  )
}

it.each([
  ['fast', apartMs],
  ['slow', -apartMs],
])('a worker whose clock is 5 s %s sends neither early nor after the expiry', patient, async (_, shiftMs) => {
  const { messages: count } = countsOf('clocks')
  await world.simulator.forgetFaults()
  const worker = await world.startWorker({ CLOCK_SHIFT_MS: String(shiftMs) }, [
    '--import',
    './test/integration/faults/world/shift-clock.ts',
  ])
  await untilSent(world, [await api.send(world.plan(await plant(world.db, 1)))]) // it works

  const crowd = await plant(world.db, 2)
  const scheduleAt = Date.now() + dueInMs
  const due = Array.from({ length: count }, () => world.plan(crowd, { scheduleAt }))
  // A second for 20 calls of a second each, four at a time: its end comes in the middle.
  const many = world.plan(await plant(world.db, 10_000), { scheduleAt, expiresAt: scheduleAt + 1_000 })
  await Promise.all([...due, many].map(api.send))
  await world.simulator.fault({ delayMs: 1_000, times: always })
  await untilSent(world, due)
  await untilClosed([many])
  expect((await statesOf(world, [many])).get(many.id)!.sent ?? 0).toBeLessThan(10_000)
  await expectInvariants(world)

  const markers = new Set(due.map(({ marker }) => marker))
  const late = accepted(world.simulator.journal())
    .filter(({ marker }) => markers.has(marker))
    .map(({ at }) => at - scheduleAt)
  measured('clocks', `clock ${shiftMs / 1000} s off; called after the send time: ${spread(late)}`)
  await worker.stop()
})
