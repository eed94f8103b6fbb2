import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, it } from 'vitest'
import { countsOf, patient } from './counts.ts'
import { type Api, type Installation, startInstallation } from './world/installation.ts'
import { expectMailInvariants, planMail, setUpMail, untilMailed } from './world/mail.ts'
import { type Mailbox, startMailboxOf } from './world/mailbox.ts'
import { recordMeasurement, spread } from './world/measurements.ts'
import { type OwnPostgres, ownPostgres } from './world/servers.ts'
import { forever } from './world/simulator.ts'
import { untilClosed } from './world/wait-for.ts'

const people = 1_000
const downMs = 3_000

let postgres: OwnPostgres
let installation: Installation
let mailbox: Mailbox
let api: Api
beforeAll(async () => {
  postgres = await ownPostgres()
  installation = await startInstallation({ postgres })
  mailbox = await startMailboxOf()
  await mailbox.fault({ phase: 'rcpt', delayMs: 10, times: forever })
  await setUpMail(installation)
  api = await installation.startApi(mailbox.env)
  await installation.startWorker(mailbox.env)
})
afterAll(async () => {
  await installation.close()
  await mailbox.stop()
  await postgres.stop()
})

it(
  'a Postgres killed while mail is being sent loses no recipient; uncertain outcomes are unknown',
  patient,
  async () => {
    const { kills } = countsOf('mailPostgresKilled')
    const times: number[] = []
    for (let kill = 0; kill < kills; kill++) {
      const before = mailbox.mails()
      const message = await api.send(await planMail(installation, people))
      await untilMailed(mailbox, before + 100)
      await postgres.kill()
      await sleep(downMs)
      await postgres.start()
      const back = performance.now()
      await untilClosed(installation, [message], 'sent')
      times.push(performance.now() - back)
    }
    const { unknown, twice } = await expectMailInvariants(installation, mailbox)
    recordMeasurement(
      'mailPostgresKilled',
      `${kills} kills; ${unknown} unknown, ${twice} sent twice; the rest was mailed after: ${spread(times)}`,
    )
  },
)
