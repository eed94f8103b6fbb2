import { beforeAll, expect, it } from 'vitest'
import { secondsFromNow } from '../../fixtures/signed-event.ts'
import { forFile } from '../../harness/for-file.ts'
import { countsOf, patient } from '../faults/counts.ts'
import {
  bindEvents,
  eventOf,
  madeByEvents,
  sendSignedEvent,
  setUpEvents,
  takesEvents,
} from '../faults/world/events.ts'
import { type Api, startInstallation } from '../faults/world/installation.ts'
import { expectInvariants } from '../faults/world/invariants.ts'
import { recordMeasurement } from '../faults/world/measurements.ts'
import { type Crowd, insertCrowd } from '../faults/world/people.ts'
import { type Answer, callPatiently } from '../faults/world/producer.ts'
import { untilSent } from '../faults/world/wait-for.ts'

const times = 100

let apis: [Api, Api]
let crowd: Crowd
const installation = forFile(startInstallation)
beforeAll(async () => {
  const env = { ...takesEvents, DB_POOL_SIZE: '40' }
  apis = [await installation.startApi(env), await installation.startApi(env)]
  crowd = await insertCrowd(installation.db, 1)
})

/**
 * A hundred calls at two processes; `timestampOf`: the timestamp of the n-th signature. They are more than there are
 * connections to the database: on a busy machine some are asked to come back.
 */
function sendConcurrently(
  event: Parameters<typeof sendSignedEvent>[1],
  timestampOf: (n: number) => number,
): Promise<Answer[]> {
  const call = (n: number) =>
    sendSignedEvent(apis[n % 2 === 0 ? 0 : 1], event, { timestamp: timestampOf(n) }, callPatiently)
  return Promise.all(Array.from({ length: times }, (_, n) => call(n)))
}

/** One created it, all received the same response. */
function expectOne(answers: Answer[]): void {
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]))
  expect(answers.filter(({ body }) => !body.duplicate)).toHaveLength(1)
  const responses = answers.map(({ body: { duplicate: _, ...answer } }) => JSON.stringify(answer))
  expect([...new Set(responses)]).toHaveLength(1)
}

it('a hundred times the same event makes one message', patient, async () => {
  const { rounds } = countsOf('sameEvent')
  const templateId = await setUpEvents(installation, apis[0])
  const early = secondsFromNow(-100)
  const unbound = Array.from({ length: rounds * 2 }, () => installation.plan(crowd))
  for (const event of unbound) {
    expectOne(await sendConcurrently(event, () => early))
    expect(await eventOf(installation, event)).toEqual({ messageId: null, error: 'no_binding' })
  }

  await bindEvents(installation, apis[0], templateId)
  const now = secondsFromNow(0)
  const signings = [() => now, (n: number) => now - n]
  for (const [n, event] of unbound.entries()) expectOne(await sendConcurrently(event, signings[n % 2]!))
  for (const signing of signings)
    for (let round = 0; round < rounds; round++)
      expectOne(await sendConcurrently(installation.plan(crowd), signing))

  // Not before: a worker takes over an event that no request has settled within seconds.
  await installation.startWorker()
  await untilSent(installation, installation.planned)
  expect(await madeByEvents(installation)).toBe(installation.planned.length)
  await expectInvariants(installation)
  recordMeasurement('sameEvent', `${installation.planned.length} events`)
})
