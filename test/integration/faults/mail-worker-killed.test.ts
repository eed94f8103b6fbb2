import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { insertCategory } from '../../../src/db/queries/category.ts'
import { checkInvariants } from '../../../src/db/queries/doctor.ts'
import { setDefaultLimit } from '../../../src/db/queries/ledger.ts'
import { lanesPerWave } from '../../../src/domain/next.ts'
import { checkMailJournal } from '../../../src/services/mail-journal-check.ts'
import { eventually } from '../../harness/eventually.ts'
import { countsOf, patient } from './counts.ts'
import { patience, statesOf, untilClosed } from './world/await.ts'
import { type Mailbox, startMailboxOf } from './world/mailbox.ts'
import { measured, spread } from './world/measured.ts'
import { plant, withMail } from './world/people.ts'
import type { Planned } from './world/producer.ts'
import { always } from './world/simulator.ts'
import { type Api, openWorld, type World } from './world/world.ts'

const people = 2_000
const resumedMs = 10_000
const killWithinMs = 500
const perBatch = 64

let world: World
let mailbox: Mailbox
let api: Api
beforeAll(async () => {
  world = await openWorld()
  mailbox = await startMailboxOf()
  await mailbox.fault({ phase: 'rcpt', delayMs: 10, times: always })
  for (const [id, onUnknown] of [
    ['kept', 'keep'],
    ['repeated', 'repeat'],
  ] as const)
    await insertCategory(world.db, {
      id,
      onUnknown,
      name: { 'zh-TW': id, en: id },
      layer: 'service',
      channelPlan: { mode: 'all', channels: ['email'] },
    })
  await setDefaultLimit(world.db, { scope: world.unitId, channel: 'email', limit: 100_000_000 })
  api = await world.startApi(mailbox.env)
})
afterAll(async () => {
  await world.close()
  await mailbox.stop()
})

/** Every second message is of a category that repeats what stayed unknown. */
async function send(categoryId: string): Promise<Planned> {
  const crowd = await plant(world.db, people)
  await withMail(world.db, crowd.tag)
  const message = world.plan(crowd)
  message.body.categoryId = categoryId
  for (const verb of ['create', 'submit', 'approve'] as const)
    expect(await api[verb](message)).toMatchObject({ status: verb === 'create' ? 201 : 200 })
  return message
}

async function untilGoesOn(message: Planned, mails: number): Promise<void> {
  await eventually(async () => {
    const standing = (await statesOf(world, [message])).get(message.id)
    if (!standing?.closed) expect(mailbox.mails()).toBeGreaterThan(mails)
  }, patience(resumedMs))
}

it(
  'a worker killed while it mails loses nobody, and tells twice only whom it owns up to',
  patient,
  async () => {
    const { kills } = countsOf('mailWorkerKilled')
    const messages: Planned[] = []
    const times: number[] = []
    let worker = await world.startWorker(mailbox.env)
    for (let kill = 0; kill < kills; kill++) {
      let message = messages.at(-1)
      if (!message || (await statesOf(world, [message])).get(message.id)?.closed) {
        message = await send(messages.length % 2 === 0 ? 'repeated' : 'kept')
        messages.push(message)
        await untilGoesOn(message, mailbox.mails())
      }
      await sleep(Math.random() * killWithinMs)
      worker.signal('SIGKILL')
      await worker.exited
      const mails = mailbox.mails()
      const killed = performance.now()
      worker = await world.startWorker(mailbox.env)
      await untilGoesOn(message, mails)
      times.push(performance.now() - killed)
    }
    await untilClosed(world, messages, 'sent')

    const broken = [
      ...(await checkInvariants(world.db)),
      ...(await checkMailJournal(world.db, mailbox.journal())),
    ]
    expect(broken.filter(({ ok }) => !ok)).toEqual([])
    expect(await world.leaks()).toEqual([])
    const { rows } = await sql<{ expected: number; sent: number; unknown: number }>`
    select expected, sent, unknown from wave`.execute(world.db)
    for (const wave of rows) expect(wave).toMatchObject({ expected: people, sent: people - wave.unknown })
    const unknown = rows.reduce((sum, wave) => sum + wave.unknown, 0)
    const twice = mailbox.mails() - new Set(mailbox.journal().map(({ messageId }) => messageId)).size
    expect(unknown).toBeLessThanOrEqual(kills * lanesPerWave.email * perBatch)
    expect(twice).toBeLessThanOrEqual(kills * lanesPerWave.email * perBatch)
    measured(
      'mailWorkerKilled',
      `${kills} kills over ${messages.length} sends; ${unknown} kept unknown, ${twice} told twice; resumed: ${spread(times)}`,
    )
  },
)
