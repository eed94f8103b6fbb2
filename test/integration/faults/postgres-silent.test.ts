import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, it } from 'vitest'
import { forFile } from '../../harness/for-file.ts'
import { openRoute, type Route } from '../../harness/route.ts'
import { countsOf, patient } from './counts.ts'
import { type Api, startInstallation } from './world/installation.ts'
import { expectInvariants } from './world/invariants.ts'
import { recordMeasurement, spread } from './world/measurements.ts'
import { insertCrowd } from './world/people.ts'
import { forever } from './world/simulator.ts'
import { sentCount, untilContinued, untilSent, untilSentTo } from './world/wait-for.ts'

/** Enough for most to be pending when the silence begins. */
const people = 10_000
/** Long enough for calls in flight to be answered, and their outcomes not to be written. */
const silentMs = 2_000
/** A query without a response is checked after 10 s, and aborted within 6 s more. */
const givenUpMs = 16_000

let route: Route
let api: Api
const installation = forFile(startInstallation)
beforeAll(async () => {
  const url = new URL(installation.databaseUrl)
  route = await openRoute(Number(url.port))
  Object.assign(url, { hostname: '127.0.0.1', port: String(route.port) })
  api = await installation.startApi()
  await installation.simulator.fault({ delayMs: 200, times: forever })
  await installation.startWorker({ DATABASE_URL: url.href })
})
afterAll(async () => {
  await route.close()
})

it(
  'half-open connections to Postgres are aborted, the wave continues, and no recipient is sent to twice',
  patient,
  async () => {
    const { rounds } = countsOf('postgresHalfOpen')
    const times: number[] = []
    for (let round = 0; round < rounds; round++) {
      const message = await api.send(installation.plan(await insertCrowd(installation.db, people)))
      await untilSentTo(installation, message, 500)
      route.set('silent')
      const begun = performance.now()
      await sleep(silentMs)
      const sent = sentCount(installation, message)
      route.set('open') // for new connections; existing ones never recover
      await untilContinued(installation, message, {
        before: sent,
        sentOf: () => sentCount(installation, message),
        limitMs: givenUpMs,
      })
      times.push(performance.now() - begun)
      await untilSent(installation, [message])
    }
    await expectInvariants(installation)
    recordMeasurement('postgresHalfOpen', `${rounds} times; continued after: ${spread(times)}`)
  },
)
