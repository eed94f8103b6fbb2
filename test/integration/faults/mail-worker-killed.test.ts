import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { batchSizes } from '../../../src/activities/delivery/write-deliveries.ts'
import { lanesPerWave } from '../../../src/domain/message/run-facts.ts'
import { forFile } from '../../harness/for-file.ts'
import { countsOf, patient } from './counts.ts'
import { type Api, startInstallation } from './world/installation.ts'
import { expectMailInvariants, planMail, setUpMail } from './world/mail.ts'
import { startMailboxOf } from './world/mailbox.ts'
import { recordMeasurement, spread } from './world/measurements.ts'
import type { PlannedMessage } from './world/producer.ts'
import { forever } from './world/simulator.ts'
import { statesOf, untilClosed, untilContinued } from './world/wait-for.ts'

const people = 2_000
const resumedMs = 10_000
const killWithinMs = 500

let api: Api
const installation = forFile(startInstallation)
const mailbox = forFile(startMailboxOf)
beforeAll(async () => {
  await mailbox.fault({ phase: 'rcpt', delayMs: 10, times: forever })
  await setUpMail(installation)
  api = await installation.startApi(mailbox.env)
})

const continuing = { sentOf: () => mailbox.mails(), limitMs: resumedMs }

it(
  'a worker killed while it mails loses no recipient, and sends twice only by repeating unknown mail',
  patient,
  async () => {
    const { kills } = countsOf('mailWorkerKilled')
    const messages: PlannedMessage[] = []
    const times: number[] = []
    let worker = await installation.startWorker(mailbox.env)
    for (let kill = 0; kill < kills; kill++) {
      let message = messages.at(-1)
      if (!message || (await statesOf(installation, [message])).get(message.id)?.closed) {
        // Every second message is of a category that repeats unknown mail.
        const onUnknown = messages.length % 2 === 0 ? 'repeat' : 'keep'
        message = await api.send(await planMail(installation, people, { onUnknown }))
        messages.push(message)
        await untilContinued(installation, message, { ...continuing, before: continuing.sentOf() })
      }
      await sleep(Math.random() * killWithinMs)
      worker.signal('SIGKILL')
      await worker.exited
      const mails = mailbox.mails()
      const killed = performance.now()
      worker = await installation.startWorker(mailbox.env)
      await untilContinued(installation, message, { ...continuing, before: mails })
      times.push(performance.now() - killed)
    }
    await untilClosed(installation, messages, 'sent')

    const { twice } = await expectMailInvariants(installation, mailbox)
    const { rows } = await sql<{ expected: number; sent: number; unknown: number }>`
    select expected, sent, unknown from wave`.execute(installation.db)
    for (const wave of rows) expect(wave).toMatchObject({ expected: people, sent: people - wave.unknown })
    const unknown = rows.reduce((sum, wave) => sum + wave.unknown, 0)
    expect(unknown).toBeLessThanOrEqual(kills * lanesPerWave.email * batchSizes.email)
    expect(twice).toBeLessThanOrEqual(kills * lanesPerWave.email * batchSizes.email)
    recordMeasurement(
      'mailWorkerKilled',
      `${kills} kills over ${messages.length} sends; ${unknown} unknown, ${twice} sent twice; resumed: ${spread(times)}`,
    )
  },
)
