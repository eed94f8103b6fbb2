import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, expect, it } from 'vitest'
import { forFile } from '../../harness/for-file.ts'
import { countsOf, patient } from './counts.ts'
import { startInstallation } from './world/installation.ts'
import { expectInvariants } from './world/invariants.ts'
import { recordMeasurement, secondsOf } from './world/measurements.ts'
import { type Crowd, insertCrowd } from './world/people.ts'
import type { Answer, PlannedMessage } from './world/producer.ts'
import { ownTemporal } from './world/servers.ts'
import { untilClosed, untilObserved, untilSent } from './world/wait-for.ts'

const everyMs = 100
/** At most this many at once: on a slow machine no queue builds up in the API. */
const callers = 10
const backlogMs = 30_000
const endings = ['approve', 'reject', 'cancel'] as const

let crowd: Crowd
const temporal = forFile(ownTemporal)
const installation = forFile(() => startInstallation({ temporal }))
const api = forFile(() => installation.startApi())
beforeAll(async () => {
  await installation.startWorker()
  crowd = await insertCrowd(installation.db, 2)
})

/** Takes a message from creation to its decision; records the responses. */
async function decide(message: PlannedMessage, ending: (typeof endings)[number]): Promise<Answer[]> {
  return [await api.create(message), await api.submit(message), await api[ending](message)]
}

/** Decides messages in turn, one every 100 ms. Returns all responses. */
async function decideAll(messages: PlannedMessage[]): Promise<Answer[]> {
  const begun = performance.now()
  const answers: Answer[] = []
  const left = [...messages.entries()].reverse()
  const caller = async () => {
    for (let next = left.pop(); next; next = left.pop()) {
      const [n, message] = next
      await sleep(Math.max(0, begun + n * everyMs - performance.now()))
      answers.push(...(await decide(message, endings[n % endings.length]!)))
    }
  }
  await Promise.all(Array.from({ length: callers }, caller))
  return answers
}

it(
  'while Temporal is down every call is answered, and afterwards every message is acted on',
  patient,
  async () => {
    const { seconds } = countsOf('temporalGone')
    await untilSent(installation, [await api.send(installation.plan(crowd))]) // it works

    await temporal.kill()
    const messages = Array.from({ length: (seconds * 1_000) / everyMs }, () => installation.plan(crowd))
    const begun = performance.now()
    const answers = await decideAll(messages)
    const gone = performance.now() - begun
    const failed = answers.filter(({ status }) => status !== 200 && status !== 201)
    expect(failed).toEqual([])

    await temporal.start()
    const approved = messages.filter((_, n) => n % endings.length === 0)
    const took = await untilObserved(installation, messages, backlogMs)
    await untilSent(installation, approved)
    await untilClosed(
      installation,
      messages.filter((_, n) => n % endings.length === 2),
      'cancelled',
    )
    await expectInvariants(installation)
    const slowest = Math.max(...answers.map(({ ms }) => ms))
    recordMeasurement(
      'temporalGone',
      `${answers.length} calls in ${secondsOf(gone)}, slowest answer ${secondsOf(slowest)}; backlog acted on after ${secondsOf(took)}`,
    )
  },
)
