import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, expect, it } from 'vitest'
import { forFile } from '../../harness/for-file.ts'
import { countsOf, patient } from './counts.ts'
import { startInstallation } from './world/installation.ts'
import { expectMailInvariants, planMail, setUpMail, untilMailed } from './world/mail.ts'
import { startMailboxOf } from './world/mailbox.ts'
import { recordMeasurement } from './world/measurements.ts'
import { forever } from './world/simulator.ts'
import { untilClosed } from './world/wait-for.ts'

/** Longer than the timeout of a heartbeat, 5 s, and shorter than a lease, 20 s. */
const stoppedMs = 7_000

const installation = forFile(startInstallation)
const mailbox = forFile(startMailboxOf)
const api = forFile(() => installation.startApi(mailbox.env))
beforeAll(() => setUpMail(installation))

it(
  'a worker that is suspended while it mails beyond its heartbeat leaves no recipient unknown',
  patient,
  async () => {
    const { rounds, people } = countsOf('mailStalled')
    const worker = await installation.startWorker(mailbox.env)
    await mailbox.fault({ phase: 'rcpt', delayMs: 100, times: forever })
    for (let round = 0; round < rounds; round++) {
      const before = mailbox.mails()
      const message = await api.send(await planMail(installation, people))
      await untilMailed(mailbox, before + 40)
      worker.signal('SIGSTOP')
      await sleep(stoppedMs)
      worker.signal('SIGCONT')
      await untilClosed(installation, [message], 'sent')
      expect(mailbox.mails() - before).toBe(people)
    }
    expect(await expectMailInvariants(installation, mailbox)).toEqual({ unknown: 0, twice: 0 })
    recordMeasurement('mailStalled', `${rounds} times ${people} people: 0 unknown, 0 sent twice`)
  },
)
