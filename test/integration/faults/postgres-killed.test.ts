import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, expect, it } from 'vitest'
import { eventually } from '../../harness/eventually.ts'
import { forFile } from '../../harness/for-file.ts'
import { countsOf, patient } from './counts.ts'
import { startInstallation } from './world/installation.ts'
import { expectInvariants } from './world/invariants.ts'
import { finish, startLoad } from './world/load.ts'
import { recordMeasurement, spread } from './world/measurements.ts'
import { type Crowd, insertCrowd } from './world/people.ts'
import { ownPostgres } from './world/servers.ts'
import { untilSent } from './world/wait-for.ts'

const downMs = 3_000
const readyMs = 5_000

let crowd: Crowd
const postgres = forFile(ownPostgres)
const installation = forFile(() => startInstallation({ postgres }))
const api = forFile(() => installation.startApi())
beforeAll(async () => {
  await installation.startWorker()
  crowd = await insertCrowd(installation.db, 3)
})

it('a killed Postgres is answered 503 with Retry-After, and nothing is lost', patient, async () => {
  const { kills } = countsOf('postgresKilled')
  const ready: number[] = []
  const { answers, stop } = startLoad(installation, api, crowd)
  for (let kill = 0; kill < kills; kill++) {
    const before = answers.length
    await eventually(() => expect(answers.length).toBeGreaterThan(before + 30))
    await postgres.kill()
    await sleep(downMs)
    await postgres.start()
    const back = performance.now()
    await eventually(
      async () => {
        expect((await api.ask('/readyz')).status).toBe(200)
        expect((await api.create(installation.plan(crowd))).status).toBe(201)
      },
      { limitMs: readyMs },
    )
    ready.push(performance.now() - back)
  }
  await stop()

  const failed = answers.filter(({ status }) => status !== 200 && status !== 201)
  const unlike503 = failed.filter(({ status, retryAfter }) => status !== 503 || retryAfter === null)
  expect(unlike503).toEqual([])
  for (const message of installation.planned) await finish(api, message)
  await untilSent(installation, installation.planned)
  await expectInvariants(installation)
  recordMeasurement(
    'postgresKilled',
    `${kills} kills, ${answers.length} calls, ${failed.length} answered 503; ready after: ${spread(ready)}`,
  )
})
