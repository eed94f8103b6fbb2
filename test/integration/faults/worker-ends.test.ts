import { beforeAll, expect, it } from 'vitest'
import { forFile } from '../../harness/for-file.ts'
import { countsOf, patient } from './counts.ts'
import { startInstallation } from './world/installation.ts'
import { expectInvariants } from './world/invariants.ts'
import { recordMeasurement, spread } from './world/measurements.ts'
import { insertCrowd } from './world/people.ts'
import { forever } from './world/simulator.ts'
import { sentCount, untilSent, untilSentTo } from './world/wait-for.ts'

const installation = forFile(startInstallation)
const api = forFile(() => installation.startApi())
beforeAll(async () => {
  await installation.simulator.fault({ delayMs: 200, times: forever })
})

it(
  'a worker that is stopped in mid-wave finishes its calls, and the next one continues',
  patient,
  async () => {
    const { rounds } = countsOf('workerEnds')
    const ends: number[] = []
    const resumes: number[] = []
    for (let round = 0; round < rounds; round++) {
      const worker = await installation.startWorker()
      const message = await api.send(installation.plan(await insertCrowd(installation.db, 10_000)))
      await untilSentTo(installation, message, 500)
      const begun = performance.now()
      worker.signal('SIGTERM')
      expect(await worker.exited).toMatchObject({ code: 0 })
      ends.push(performance.now() - begun)
      const sent = sentCount(installation, message)
      const next = await installation.startWorker()
      const started = performance.now()
      await untilSentTo(installation, message, sent + 1)
      resumes.push(performance.now() - started)
      await untilSent(installation, [message])
      await next.stop()
    }
    // All started work was finished: no call had to be made twice.
    expect(installation.simulator.journal().filter(({ status }) => status !== 200)).toEqual([])
    await expectInvariants(installation)
    recordMeasurement(
      'workerEnds',
      `${rounds} times; ended after: ${spread(ends)}; the next one sent after: ${spread(resumes)}`,
    )
  },
)
