import { afterAll, beforeAll, expect, it } from 'vitest'
import { countsOf, patient } from './counts.ts'
import { toldOf, untilSent, untilTold } from './world/await.ts'
import { type Api, openWorld, type World } from './world/installation.ts'
import { expectInvariants } from './world/invariants.ts'
import { measured, spread } from './world/measured.ts'
import { plant } from './world/people.ts'
import { always } from './world/simulator.ts'

let world: World
let api: Api
beforeAll(async () => {
  world = await openWorld()
  api = await world.startApi()
  await world.simulator.fault({ delayMs: 200, times: always })
})
afterAll(() => world.close())

it(
  'a worker that is asked to end in mid-wave finishes its calls, and the next one goes on',
  patient,
  async () => {
    const { rounds } = countsOf('workerEnds')
    const ends: number[] = []
    const resumes: number[] = []
    for (let round = 0; round < rounds; round++) {
      const worker = await world.startWorker()
      const message = await api.send(world.plan(await plant(world.db, 10_000)))
      await untilTold(world, message, 500)
      const begun = performance.now()
      worker.signal('SIGTERM')
      expect(await worker.exited).toMatchObject({ code: 0 })
      ends.push(performance.now() - begun)
      const told = toldOf(world, message)
      const next = await world.startWorker()
      const started = performance.now()
      await untilTold(world, message, told + 1)
      resumes.push(performance.now() - started)
      await untilSent(world, [message])
      await next.stop()
    }
    // Everything that was begun was also finished: no call had to be made twice.
    expect(world.simulator.journal().filter(({ status }) => status !== 200)).toEqual([])
    await expectInvariants(world)
    measured(
      'workerEnds',
      `${rounds} times; ended after: ${spread(ends)}; the next one sent after: ${spread(resumes)}`,
    )
  },
)
