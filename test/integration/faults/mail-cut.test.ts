import { beforeAll, expect, it } from 'vitest'
import { forFile } from '../../harness/for-file.ts'
import { countsOf, patient } from './counts.ts'
import { type Api, startInstallation } from './world/installation.ts'
import { expectMailInvariants, planMail, setUpMail } from './world/mail.ts'
import { startMailboxOf } from './world/mailbox.ts'
import { recordMeasurement } from './world/measurements.ts'
import { untilClosed } from './world/wait-for.ts'

const people = 300

let api: Api
const installation = forFile(startInstallation)
const mailbox = forFile(startMailboxOf)
beforeAll(async () => {
  await setUpMail(installation)
  api = await installation.startApi(mailbox.env)
  await installation.startWorker(mailbox.env)
})

/** Mails to all recipients while the connection is cut `cuts` times at this point; returns how many mails arrived. */
async function mailedThrough(phase: 'rcpt' | 'data' | 'dot', onUnknown: 'keep' | 'repeat'): Promise<number> {
  const cuts = countsOf('mailCut')['cuts each']
  const before = mailbox.mails()
  await mailbox.fault({ phase, action: 'cut', times: cuts })
  await untilClosed(
    installation,
    [await api.send(await planMail(installation, people, { onUnknown }))],
    'sent',
  )
  return mailbox.mails() - before
}

it(
  'a connection cut before the final dot has sent nothing; cut after it, the mail is recorded as unknown',
  patient,
  async () => {
    const cuts = countsOf('mailCut')['cuts each']
    expect(await mailedThrough('rcpt', 'keep')).toBe(people)
    expect(await mailedThrough('data', 'keep')).toBe(people)
    expect(await expectMailInvariants(installation, mailbox)).toEqual({ unknown: 0, twice: 0 })

    expect(await mailedThrough('dot', 'keep')).toBe(people)
    expect(await expectMailInvariants(installation, mailbox)).toEqual({ unknown: cuts, twice: 0 })

    expect(await mailedThrough('dot', 'repeat')).toBe(people + cuts)
    expect(await expectMailInvariants(installation, mailbox)).toEqual({ unknown: cuts, twice: cuts })
    recordMeasurement(
      'mailCut',
      `${cuts} each; ${cuts} unknown, ${cuts} sent twice where the category repeats`,
    )
  },
)
