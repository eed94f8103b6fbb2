import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { eventually } from '../../harness/eventually.ts'
import { countsOf, patient } from './counts.ts'
import { type Api, type Installation, startInstallation } from './world/installation.ts'
import { expectInvariants } from './world/invariants.ts'
import { recordMeasurement, secondsOf } from './world/measurements.ts'
import { insertCrowd } from './world/people.ts'
import { forever } from './world/simulator.ts'
import { untilClosed, untilSent } from './world/wait-for.ts'

/** The documented limit. */
const knownWithinMs = 60_000

let installation: Installation
let api: Api
beforeAll(async () => {
  installation = await startInstallation()
  api = await installation.startApi()
  await installation.startWorker()
  await installation.db.updateTable('person').set({ notices: true }).execute()
})
afterAll(() => installation.close())

it(
  'a send that the provider rejects for everybody fails with its reasons, and is known at once',
  patient,
  async () => {
    const { people } = countsOf('allRejected')
    const body = JSON.stringify({ message: 'The request body has 1 error(s)' })
    await installation.simulator.fault({ status: 400, body, times: forever })
    const begun = performance.now()
    const message = await api.send(installation.plan(await insertCrowd(installation.db, people)))
    await untilClosed(installation, [message], 'failed')
    await eventually(
      async () =>
        expect((await api.ask('/v1/health')).body).toMatchObject({
          status: 'degraded',
          failedSends: {
            ...{ sends: 1, people, reached: 0 },
            reasons: [{ channel: 'chat', reason: 'invalid_message', deliveries: people }],
          },
        }),
      { limitMs: knownWithinMs },
    )
    const tookMs = performance.now() - begun
    const { rows } = await sql<{ state: string; at: boolean }>`
    select state, next_try_at <= clock_timestamp() as at from author_notice
    where message_id = ${message.id} and what = 'failed'`.execute(installation.db)
    expect(rows).toEqual([{ state: 'waiting', at: true }]) // this installation has no mail to send it by
    await installation.simulator.forgetFaults()
    await untilSent(installation, [await api.send(installation.plan(await insertCrowd(installation.db, 3)))])
    await expectInvariants(installation)
    recordMeasurement('allRejected', `a send to ${people}; known after ${secondsOf(tookMs)}`)
  },
)
