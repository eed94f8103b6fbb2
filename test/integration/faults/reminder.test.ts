import { sql } from 'kysely'
import { afterAll, beforeAll, it } from 'vitest'
import { repoke } from '../../../src/db/queries/run/late.ts'
import { countsOf, patient } from './counts.ts'
import { untilClosed, untilTold } from './world/await.ts'
import { type Api, type Installation, startInstallation } from './world/installation.ts'
import { expectInvariants } from './world/invariants.ts'
import { expectMailInvariants, furnishMail, planMail, untilMailed } from './world/mail.ts'
import { type Mailbox, startMailboxOf } from './world/mailbox.ts'
import { measured } from './world/measured.ts'
import { plant } from './world/people.ts'
import type { Planned } from './world/producer.ts'
import { farAhead, replan } from './world/replan.ts'
import { always } from './world/simulator.ts'

const chatPeople = 2_000
const mailPeople = 600
/** So many of each crowd ask not to be reminded. */
const unwilling = 100

let installation: Installation
let mailbox: Mailbox
let api: Api
beforeAll(async () => {
  installation = await startInstallation()
  mailbox = await startMailboxOf()
  await furnishMail(installation)
  await installation.simulator.fault({ delayMs: 200, times: always })
  await mailbox.fault({ phase: 'rcpt', delayMs: 10, times: always })
  api = await installation.startApi(mailbox.env)
})
afterAll(async () => {
  await installation.close()
  await mailbox.stop()
})

/** Some who were told answer that they do not want to be reminded. */
async function askNotTo({ id, crowd }: Planned): Promise<void> {
  await sql`
    insert into do_not_remind (message_id, subject_id)
    select ${id}, subject_id from address where address = any(${crowd.told.slice(0, unwilling)})`.execute(
    installation.db,
  )
}

it(
  'a worker that is killed while it reminds reminds nobody twice, and nobody who asked not to be',
  patient,
  async () => {
    const { kills } = countsOf('reminderKilled')
    for (let kill = 0; kill < kills; kill++) {
      const before = mailbox.mails()
      let worker = await installation.startWorker(mailbox.env)
      const remindAt = farAhead()
      const chat = await api.send(installation.plan(await plant(installation.db, chatPeople), { remindAt }))
      const mail = await api.send(await planMail(installation, mailPeople, { remindAt }))
      await untilTold(installation, chat, chatPeople)
      await untilMailed(mailbox, before + mailPeople)
      await askNotTo(chat)
      await askNotTo(mail)

      await replan(installation, [chat, mail], { remindAt: Date.now() })
      await repoke(installation.db)
      await untilTold(installation, chat, chatPeople + 1)
      await untilMailed(mailbox, before + mailPeople + 1)
      worker.signal('SIGKILL')
      await worker.exited
      worker = await installation.startWorker(mailbox.env)
      await untilClosed(installation, [chat, mail], 'sent')
      await worker.stop()
    }
    const { unknown, twice } = await expectMailInvariants(installation, mailbox)
    await expectInvariants(installation)
    measured('reminderKilled', `${kills} kills; ${unknown} mails kept unknown, ${twice} told twice`)
  },
)
