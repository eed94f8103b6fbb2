import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, expect, it } from 'vitest'
import { forFile } from '../../harness/for-file.ts'
import { openRoute } from '../../harness/route.ts'
import { countsOf, patient } from './counts.ts'
import { type Api, startInstallation } from './world/installation.ts'
import { expectMailInvariants, planMail, setUpMail, untilMailed } from './world/mail.ts'
import { startMailboxOf } from './world/mailbox.ts'
import { recordMeasurement, secondsOf, spread } from './world/measurements.ts'
import { insertCrowd } from './world/people.ts'
import { forever } from './world/simulator.ts'
import { untilClosed, untilSent } from './world/wait-for.ts'

/** How long the adapter waits for a mail server to greet it. */
const greetingMs = 10_000
/** The longest time chat may take meanwhile. */
const chatMs = 10_000

let api: Api
const installation = forFile(startInstallation)
const mailbox = forFile(startMailboxOf)
const route = forFile(() => openRoute(Number(mailbox.env.SMTP_PORT)))
beforeAll(async () => {
  await setUpMail(installation)
  api = await installation.startApi(mailbox.env)
})

const startWorker = () => installation.startWorker({ ...mailbox.env, SMTP_PORT: String(route.port) })

it(
  'half-open connections to the mail server end by one timeout, and chat continues meanwhile',
  patient,
  async () => {
    const { rounds } = countsOf('mailHalfOpen')
    const times: number[] = []
    for (let round = 0; round < rounds; round++) {
      route.set('silent')
      const worker = await startWorker()
      const before = mailbox.mails()
      const begun = performance.now()
      const mail = await api.send(await planMail(installation, 100))
      await untilSent(
        installation,
        [await api.send(installation.plan(await insertCrowd(installation.db, 3)))],
        chatMs,
      )
      expect(mailbox.mails()).toBe(before)
      route.set('open') // connections waiting for a greeting never get one
      await untilClosed(installation, [mail], 'sent', 2 * greetingMs)
      times.push(performance.now() - begun)
      await worker.stop()
    }
    const { twice } = await expectMailInvariants(installation, mailbox)
    expect(twice).toBe(0)
    recordMeasurement('mailHalfOpen', `${rounds} times; mailed after: ${spread(times)}`)
  },
)

it(
  'a worker that is suspended while it mails beyond its lease sends to no recipient twice',
  patient,
  async () => {
    const stoppedMs = countsOf('mailTwoAttempts')['seconds stopped'] * 1_000
    await mailbox.fault({ phase: 'rcpt', delayMs: 10, times: forever })
    const before = mailbox.mails()
    const stopped = await startWorker()
    const message = await api.send(await planMail(installation, 2_000))
    await untilMailed(mailbox, before + 100)
    stopped.signal('SIGSTOP')
    const begun = performance.now()
    const awake = sleep(stoppedMs).then(() => stopped.signal('SIGCONT'))
    const other = await startWorker()
    await untilClosed(installation, [message], 'sent')
    const took = performance.now() - begun
    await awake
    // Both workers run now: the suspended one has resumed.
    await untilClosed(installation, [await api.send(await planMail(installation, 600))], 'sent')
    const { unknown, twice } = await expectMailInvariants(installation, mailbox)
    recordMeasurement(
      'mailTwoAttempts',
      `another worker mailed the rest within ${secondsOf(took)} of the suspension; ${unknown} unknown, ${twice} sent twice`,
    )
    await Promise.all([stopped.stop(), other.stop()])
  },
)
