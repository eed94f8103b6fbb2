import { sql } from 'kysely'
import { beforeAll, it } from 'vitest'
import { makeRunsDue } from '../../../src/db/queries/run/reconcile.ts'
import { forFile } from '../../harness/for-file.ts'
import { countsOf, patient } from './counts.ts'
import { type Api, startInstallation } from './world/installation.ts'
import { expectInvariants } from './world/invariants.ts'
import { expectMailInvariants, planMail, setUpMail, untilMailed } from './world/mail.ts'
import { startMailboxOf } from './world/mailbox.ts'
import { recordMeasurement } from './world/measurements.ts'
import { insertCrowd } from './world/people.ts'
import type { PlannedMessage } from './world/producer.ts'
import { farAhead, reschedule } from './world/reschedule.ts'
import { forever } from './world/simulator.ts'
import { untilClosed, untilSentTo } from './world/wait-for.ts'

const chatPeople = 2_000
const mailPeople = 600
/** How many of each group opt out of the reminder. */
const optOuts = 100

let api: Api
const installation = forFile(startInstallation)
const mailbox = forFile(startMailboxOf)
beforeAll(async () => {
  await setUpMail(installation)
  await installation.simulator.fault({ delayMs: 200, times: forever })
  await mailbox.fault({ phase: 'rcpt', delayMs: 10, times: forever })
  api = await installation.startApi(mailbox.env)
})

/** Some recipients opt out of the reminder. */
async function optOut({ id, crowd }: PlannedMessage): Promise<void> {
  await sql`
    insert into do_not_remind (message_id, subject_id)
    select ${id}, subject_id from address where address = any(${crowd.recipients.slice(0, optOuts)})`.execute(
    installation.db,
  )
}

it(
  'a worker killed while it sends a reminder reminds no one twice, and no one who opted out',
  patient,
  async () => {
    const { kills } = countsOf('reminderKilled')
    for (let kill = 0; kill < kills; kill++) {
      const before = mailbox.mails()
      let worker = await installation.startWorker(mailbox.env)
      const remindAt = farAhead()
      const chat = await api.send(
        installation.plan(await insertCrowd(installation.db, chatPeople), { remindAt }),
      )
      const mail = await api.send(await planMail(installation, mailPeople, { remindAt }))
      await untilSentTo(installation, chat, chatPeople)
      await untilMailed(mailbox, before + mailPeople)
      await optOut(chat)
      await optOut(mail)

      await reschedule(installation, [chat, mail], { remindAt: Date.now() })
      await makeRunsDue(installation.db)
      await untilSentTo(installation, chat, chatPeople + 1)
      await untilMailed(mailbox, before + mailPeople + 1)
      worker.signal('SIGKILL')
      await worker.exited
      worker = await installation.startWorker(mailbox.env)
      await untilClosed(installation, [chat, mail], 'sent')
      await worker.stop()
    }
    const { unknown, twice } = await expectMailInvariants(installation, mailbox)
    await expectInvariants(installation)
    recordMeasurement('reminderKilled', `${kills} kills; ${unknown} mails unknown, ${twice} sent twice`)
  },
)
