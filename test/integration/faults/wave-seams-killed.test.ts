import { describe, it } from 'vitest'
import { forFile } from '../../harness/for-file.ts'
import { countsOf, patient } from './counts.ts'
import { startInstallation } from './world/installation.ts'
import { expectInvariants } from './world/invariants.ts'
import { recordMeasurement, spread } from './world/measurements.ts'
import { insertCrowd } from './world/people.ts'
import { installSeams } from './world/seams.ts'
import { untilSent } from './world/wait-for.ts'

const people = 1_200
const installation = forFile(startInstallation)
const seams = forFile(() => installSeams(installation.databaseUrl))
const api = forFile(() => installation.startApi())

/** A worker that the seams hold. */
function startVictim() {
  const { databaseUrl } = installation
  return installation.startWorker({
    DATABASE_URL: seams.through(databaseUrl, Number(new URL(databaseUrl).port)),
  })
}

describe('a worker that is killed', () => {
  it.each(['before the deliveries', 'before the quota'] as const)(
    '%s of a wave is continued by the next one',
    patient,
    async (seam) => {
      const { rounds } = countsOf('waveSeamsKilled')
      const times: number[] = []
      for (let round = 0; round < rounds; round += 1) {
        await seams.hold(seam)
        const victim = await startVictim()
        const message = await api.send(installation.plan(await insertCrowd(installation.db, people)))
        await seams.untilHeld(1)
        victim.signal('SIGKILL')
        await victim.exited
        await seams.abandon()
        const killed = performance.now()
        const worker = await installation.startWorker()
        await untilSent(installation, [message])
        times.push(performance.now() - killed)
        await worker.stop()
      }
      await expectInvariants(installation)
      recordMeasurement('waveSeamsKilled', `${seam}: ${rounds} kills; sent after: ${spread(times)}`)
    },
  )
})
