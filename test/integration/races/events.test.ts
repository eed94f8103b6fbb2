import { afterAll, beforeAll, expect, it } from 'vitest'
import { secondsFromNow } from '../../fixtures/signed-event.ts'
import { countsOf, patient } from '../faults/counts.ts'
import { untilSent } from '../faults/world/await.ts'
import {
  bindEvents,
  type EventReply,
  eventOf,
  furnishEvents,
  madeByEvents,
  raise,
  takesEvents,
} from '../faults/world/events.ts'
import { type Api, openWorld, type World } from '../faults/world/installation.ts'
import { expectInvariants } from '../faults/world/invariants.ts'
import { measured } from '../faults/world/measured.ts'
import { type Crowd, plant } from '../faults/world/people.ts'

const times = 100

let world: World
let apis: [Api, Api]
let crowd: Crowd
beforeAll(async () => {
  world = await openWorld()
  const env = { ...takesEvents, DB_POOL_SIZE: '40' }
  apis = [await world.startApi(env), await world.startApi(env)]
  await world.startWorker()
  crowd = await plant(world.db, 1)
})
afterAll(() => world.close())

/** A hundred calls at two processes; `timestampOf` says how the n-th is signed. */
function crowdIn(
  event: Parameters<typeof raise>[1],
  timestampOf: (n: number) => number,
): Promise<EventReply[]> {
  const call = (n: number) => raise(apis[n % 2 === 0 ? 0 : 1], event, { timestamp: timestampOf(n) })
  return Promise.all(Array.from({ length: times }, (_, n) => call(n)))
}

/** One made it, everybody was told the same. */
function expectOne(answers: EventReply[]): void {
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]))
  expect(answers.filter(({ body }) => !body.duplicate)).toHaveLength(1)
  const told = answers.map(({ body: { duplicate: _, ...answer } }) => JSON.stringify(answer))
  expect([...new Set(told)]).toHaveLength(1)
}

it('a hundred times the same event makes one message', patient, async () => {
  const { rounds } = countsOf('sameEvent')
  const templateId = await furnishEvents(world, apis[0])
  const early = secondsFromNow(-100)
  const unbound = Array.from({ length: rounds * 2 }, () => world.plan(crowd))
  for (const event of unbound) {
    expectOne(await crowdIn(event, () => early))
    expect(await eventOf(world, event)).toEqual({ messageId: null, error: 'no_binding' })
  }

  await bindEvents(world, apis[0], templateId)
  const now = secondsFromNow(0)
  const signings = [() => now, (n: number) => now - n]
  for (const [n, event] of unbound.entries()) expectOne(await crowdIn(event, signings[n % 2]!))
  for (const signing of signings)
    for (let round = 0; round < rounds; round++) expectOne(await crowdIn(world.plan(crowd), signing))

  await untilSent(world, world.planned)
  expect(await madeByEvents(world)).toBe(world.planned.length)
  await expectInvariants(world)
  measured('sameEvent', `${world.planned.length} events`)
})
