import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, it } from 'vitest'
import { forFile } from '../../harness/for-file.ts'
import { countsOf, patient } from './counts.ts'
import { startInstallation } from './world/installation.ts'
import { expectInvariants } from './world/invariants.ts'
import { recordMeasurement, secondsOf } from './world/measurements.ts'
import { insertCrowd } from './world/people.ts'
import { forever } from './world/simulator.ts'
import { untilSent, untilSentTo } from './world/wait-for.ts'

const installation = forFile(startInstallation)
const api = forFile(() => installation.startApi())
beforeAll(async () => {
  await installation.simulator.fault({ delayMs: 200, times: forever })
})

it(
  'a worker that is suspended in mid-wave beyond its lease sends to no recipient twice',
  patient,
  async () => {
    const stoppedMs = countsOf('twoAttempts')['seconds stopped'] * 1_000
    const stopped = await installation.startWorker()
    const crowd = await insertCrowd(installation.db, 10_000, { blocked: 5, unwilling: 5 })
    const message = await api.send(installation.plan(crowd))
    await untilSentTo(installation, message, 500)
    stopped.signal('SIGSTOP')
    const begun = performance.now()
    const awake = sleep(stoppedMs).then(() => stopped.signal('SIGCONT'))
    await installation.startWorker()
    await untilSent(installation, [message])
    const took = performance.now() - begun
    await awake
    // Both workers run now: the suspended one has resumed.
    await untilSent(installation, [
      await api.send(installation.plan(await insertCrowd(installation.db, 2_000))),
    ])
    await expectInvariants(installation)
    recordMeasurement(
      'twoAttempts',
      `another worker sent to all 10,000 within ${secondsOf(took)} of the suspension`,
    )
  },
)
