import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, expect, it } from 'vitest'
import { eventually } from '../../harness/eventually.ts'
import { forFile } from '../../harness/for-file.ts'
import { countsOf, patient } from './counts.ts'
import { startInstallation } from './world/installation.ts'
import { expectInvariants } from './world/invariants.ts'
import { recordMeasurement, spread } from './world/measurements.ts'
import { insertCrowd } from './world/people.ts'
import type { PlannedMessage } from './world/producer.ts'
import { forever } from './world/simulator.ts'
import { statesOf, untilContinued, untilSent } from './world/wait-for.ts'

const people = 5_000
const resumedMs = 10_000
/** How long the provider takes to answer. */
const callMs = 200
/** Kills at a random moment within half a second after the worker was seen sending. */
const killWithinMs = 500

const installation = forFile(startInstallation)
const api = forFile(() => installation.startApi())
beforeAll(async () => {
  await installation.simulator.fault({ delayMs: callMs, times: forever })
})

async function send(): Promise<PlannedMessage> {
  return api.send(
    installation.plan(await insertCrowd(installation.db, people, { blocked: 20, unwilling: 20 })),
  )
}

const continuing = { sentOf: () => installation.simulator.journal().length, limitMs: resumedMs }

it('a worker that is killed repeatedly loses no recipient and sends to none twice', patient, async () => {
  const { kills } = countsOf('workerKilled')
  const messages: PlannedMessage[] = []
  const times: number[] = []
  let worker = await installation.startWorker()
  for (let kill = 0; kill < kills; kill++) {
    let message = messages.at(-1)
    if (!message || (await statesOf(installation, [message])).get(message.id)?.closed) {
      message = await send()
      messages.push(message)
      await untilContinued(installation, message, { ...continuing, before: continuing.sentOf() })
    }
    await sleep(Math.random() * killWithinMs)
    worker.signal('SIGKILL')
    await worker.exited
    const calls = installation.simulator.journal().length
    const killed = performance.now()
    worker = await installation.startWorker()
    await untilContinued(installation, message, { ...continuing, before: calls })
    times.push(performance.now() - killed)
  }
  await untilSent(installation, messages)
  await expectInvariants(installation)
  recordMeasurement('workerKilled', `${kills} kills over ${messages.length} sends; resumed: ${spread(times)}`)
})

it(
  'a worker that is killed while it sends to single people loses none and sends to none twice',
  patient,
  async () => {
    const { messages: count, kills } = countsOf('smallSendsKilled')
    const messages: PlannedMessage[] = []
    const times: number[] = []
    let worker = await installation.startWorker()
    for (let kill = 0; kill < kills; kill++) {
      const called = continuing.sentOf()
      const lot = Array.from({ length: Math.ceil(count / kills) }, async () =>
        api.send(installation.plan(await insertCrowd(installation.db, 1))),
      )
      await eventually(() => expect(continuing.sentOf()).toBeGreaterThan(called))
      await sleep(Math.random() * callMs)
      worker.signal('SIGKILL')
      await worker.exited
      const killed = performance.now()
      worker = await installation.startWorker()
      const sends = await Promise.all(lot)
      await untilSent(installation, sends, resumedMs)
      messages.push(...sends)
      times.push(performance.now() - killed)
    }
    await expectInvariants(installation)
    recordMeasurement(
      'smallSendsKilled',
      `${kills} kills over ${messages.length} messages; all of a lot sent: ${spread(times)}`,
    )
  },
)
