import { beforeAll, expect, it } from 'vitest'
import { sessions } from '../../../src/channels/email/send.ts'
import { lanesPerWave } from '../../../src/domain/message/run-facts.ts'
import { forFile } from '../../harness/for-file.ts'
import { openRoute } from '../../harness/route.ts'
import { countsOf, patient } from './counts.ts'
import { type Api, startInstallation } from './world/installation.ts'
import { expectMailInvariants, planMail, setUpMail, untilMailed } from './world/mail.ts'
import { startMailboxOf } from './world/mailbox.ts'
import { recordMeasurement, spread } from './world/measurements.ts'
import { insertCrowd } from './world/people.ts'
import { forever } from './world/simulator.ts'
import { untilClosed, untilSent } from './world/wait-for.ts'

/** How long the adapter waits for a server in the middle of a mail. */
const mailTimeoutMs = 30_000
/** The longest time chat may take meanwhile. */
const chatMs = 10_000
/** Mails that the server accepts at once; later ones are slow, so that it becomes silent in mid-session. */
const quick = 100

let api: Api
const installation = forFile(startInstallation)
const mailbox = forFile(startMailboxOf)
const route = forFile(() => openRoute(Number(mailbox.env.SMTP_PORT)))
beforeAll(async () => {
  await setUpMail(installation)
  api = await installation.startApi(mailbox.env)
  await installation.startWorker({ ...mailbox.env, SMTP_PORT: String(route.port) })
})

it(
  'a mail server that becomes silent in mid-session times out, and only a completely transferred mail is unknown',
  patient,
  async () => {
    const { rounds } = countsOf('mailSilent')
    const times: number[] = []
    for (let round = 0; round < rounds; round++) {
      const before = mailbox.mails()
      await mailbox.fault({ phase: 'dot', delayMs: 10, times: quick })
      await mailbox.fault({ phase: 'dot', delayMs: 500, times: forever })
      const mail = await api.send(await planMail(installation, 600))
      await untilMailed(mailbox, before + quick)
      route.set(round % 2 === 0 ? 'mute' : 'silent')
      const begun = performance.now()
      await untilSent(
        installation,
        [await api.send(installation.plan(await insertCrowd(installation.db, 3)))],
        chatMs,
      )
      expect(mailbox.mails()).toBeLessThan(before + 600)
      await mailbox.forgetFaults()
      route.set('open') // silenced sessions never recover
      await untilClosed(installation, [mail], 'sent', 2 * mailTimeoutMs)
      times.push(performance.now() - begun)
    }
    const { unknown, twice } = await expectMailInvariants(installation, mailbox)
    expect(twice).toBe(0)
    expect(unknown).toBeLessThanOrEqual(rounds * lanesPerWave.email * sessions.most)
    recordMeasurement(
      'mailSilent',
      `${rounds} times; the rest was mailed after: ${spread(times)}; ${unknown} unknown, ${twice} sent twice`,
    )
  },
)
