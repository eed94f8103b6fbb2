import { afterAll, beforeAll, expect, it } from 'vitest'
import { eventually } from '../../harness/eventually.ts'
import { countsOf, patient } from './counts.ts'
import { patience, statesOf, untilSent, untilTold } from './world/await.ts'
import { furnishUnit } from './world/furnish.ts'
import { expectInvariants } from './world/invariants.ts'
import { measured, spread } from './world/measured.ts'
import { type Crowd, plant } from './world/people.ts'
import { type Producer, producerAt } from './world/producer.ts'
import { always } from './world/simulator.ts'
import { type Api, openWorld, type World } from './world/world.ts'

/** More waves than have slots at full speed: 8 waves of 4 lanes (src/runs/workers.ts). */
const waves = 12
/** Each of 500 to a batch, with six calls of five texts: a batch takes more than a slice. */
const big = { people: 6_000, texts: 30 }
/** What was measured for slices of 1 s (design 1, Cost). */
const waitMs = 650

let world: World
let api: Api
let other: Producer
let few: Crowd
beforeAll(async () => {
  world = await openWorld()
  api = await world.startApi()
  other = producerAt(api.url, await furnishUnit(world.db, 'Library'))
  await world.simulator.fault({ delayMs: 200, times: always })
  await world.startWorker()
  few = await plant(world.db, 1)
})
afterAll(() => world.close())

/** Sends to one person; how long after the approval's answer the provider is called, ms. */
async function waited(): Promise<number> {
  const message = await other.send(world.plan(few))
  const answered = Date.now()
  const calls = () => world.simulator.journal().filter(({ marker }) => marker === message.marker)
  await eventually(() => expect(calls()).toHaveLength(1), patience(60_000))
  return Math.max(0, calls()[0]!.at - 200 - answered) // it is journalled when its 200 ms are over
}

it("a unit's small send does not wait behind the big ones of another", patient, async () => {
  const { sends } = countsOf('fairness')
  const alone: number[] = []
  for (let n = 0; n < sends; n++) alone.push(await waited())

  const crowd = await plant(world.db, big.people)
  const behind: number[] = []
  while (behind.length < sends) {
    const before = await Promise.all(
      Array.from({ length: waves }, () => api.send(world.plan(crowd, { texts: big.texts }))),
    )
    for (const message of before) await untilTold(world, message, 1)
    const underWay = async () => [...(await statesOf(world, before)).values()].filter(({ closed }) => !closed)
    while (behind.length < sends && (await underWay()).length === waves) behind.push(await waited())
    await untilSent(world, before)
  }
  expect(Math.max(...behind)).toBeLessThan(3 * waitMs)
  await expectInvariants(world)
  measured(
    'fairness',
    `${sends} sends; waited alone: ${spread(alone)}; behind ${waves} waves: ${spread(behind)}`,
  )
})
