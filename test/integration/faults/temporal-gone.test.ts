import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { countsOf, patient } from './counts.ts'
import { patience, untilClosed, untilSeen, untilSent } from './world/await.ts'
import { expectInvariants } from './world/invariants.ts'
import { measured, secondsOf } from './world/measured.ts'
import { type Crowd, plant } from './world/people.ts'
import type { Answer, Planned } from './world/producer.ts'
import { type OwnTemporal, ownTemporal } from './world/servers.ts'
import { type Api, openWorld, type World } from './world/world.ts'

const everyMs = 100
const backlogMs = 30_000
const endings = ['approve', 'reject', 'cancel'] as const

let temporal: OwnTemporal
let world: World
let api: Api
let crowd: Crowd
beforeAll(async () => {
  temporal = await ownTemporal()
  world = await openWorld({ temporal })
  api = await world.startApi()
  await world.startWorker()
  crowd = await plant(world.db, 2)
})
afterAll(async () => {
  await world.close()
  await temporal.stop()
})

/** A message from its creation to its decision; the answers on the way. */
async function decide(message: Planned, ending: (typeof endings)[number]): Promise<Answer[]> {
  return [await api.create(message), await api.submit(message), await api[ending](message)]
}

it(
  'while Temporal is gone everything is answered, and afterwards everything is acted on',
  patient,
  async () => {
    const { seconds } = countsOf('temporalGone')
    await untilSent(world, [await api.send(world.plan(crowd))]) // it works

    await temporal.kill()
    const messages = Array.from({ length: (seconds * 1_000) / everyMs }, () => world.plan(crowd))
    const flows = messages.map(async (message, n) => {
      await sleep(n * everyMs)
      return decide(message, endings[n % endings.length]!)
    })
    const answers = (await Promise.all(flows)).flat()
    const failed = answers.filter(({ status }) => status !== 200 && status !== 201)
    expect(failed).toEqual([])

    await temporal.start()
    const approved = messages.filter((_, n) => n % endings.length === 0)
    const took = await untilSeen(world, messages, patience(backlogMs).timeoutMs)
    await untilSent(world, approved)
    await untilClosed(
      world,
      messages.filter((_, n) => n % endings.length === 2),
      'cancelled',
    )
    await expectInvariants(world)
    const slowest = Math.max(...answers.map(({ ms }) => ms))
    measured(
      'temporalGone',
      `${answers.length} calls in ${seconds} s, slowest answer ${secondsOf(slowest)}; backlog acted on after ${secondsOf(took)}`,
    )
  },
)
