import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, it } from 'vitest'
import { forFile } from '../../harness/for-file.ts'
import { countsOf, patient } from './counts.ts'
import { type Api, startInstallation } from './world/installation.ts'
import { expectMailInvariants, planMail, setUpMail, untilMailed } from './world/mail.ts'
import { startMailboxOf } from './world/mailbox.ts'
import { recordMeasurement, spread } from './world/measurements.ts'
import { ownPostgres } from './world/servers.ts'
import { forever } from './world/simulator.ts'
import { untilClosed } from './world/wait-for.ts'

const people = 1_000
const downMs = 3_000

let api: Api
const postgres = forFile(ownPostgres)
const installation = forFile(() => startInstallation({ postgres }))
const mailbox = forFile(startMailboxOf)
beforeAll(async () => {
  await mailbox.fault({ phase: 'rcpt', delayMs: 10, times: forever })
  await setUpMail(installation)
  api = await installation.startApi(mailbox.env)
  await installation.startWorker(mailbox.env)
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
