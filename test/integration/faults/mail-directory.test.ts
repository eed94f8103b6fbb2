import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { eventually } from '../../harness/eventually.ts'
import { countsOf, patient } from './counts.ts'
import { type Api, type Installation, startInstallation } from './world/installation.ts'
import { expectMailInvariants, planMail, setUpMail } from './world/mail.ts'
import { type Mailbox, startMailboxOf } from './world/mailbox.ts'
import { recordMeasurement, secondsOf, spread } from './world/measurements.ts'
import type { PlannedMessage } from './world/producer.ts'
import { forever } from './world/simulator.ts'
import { untilClosed, untilSent } from './world/wait-for.ts'

/** How long a doubted server waits for its next probe, and what follows that. */
const probedWithinMs = 75_000

let installation: Installation
let mailbox: Mailbox
let api: Api
beforeAll(async () => {
  installation = await startInstallation()
  mailbox = await startMailboxOf()
  await setUpMail(installation)
  api = await installation.startApi(mailbox.env)
  for (const _ of ['one', 'another']) await installation.startWorker(mailbox.env)
})
afterAll(async () => {
  await installation.close()
  await mailbox.stop()
})
beforeEach(() => mailbox.forgetFaults())

const send = async (people: number) => api.send(await planMail(installation, people))

async function untilParked(messages: PlannedMessage[]): Promise<void> {
  await eventually(
    async () => {
      const { rows } = await sql<{ problem: string | null }>`
        select problem from message where id = any(${messages.map(({ id }) => id)}::uuid[])
      `.execute(installation.db)
      expect(rows.map(({ problem }) => problem)).toEqual(messages.map(() => 'unknown_recipients'))
    },
    { limitMs: 40_000 },
  )
}

const suppressed = async () =>
  (await installation.db.selectFrom('suppression').select('hash').execute()).length

it('a mail server whose directory is down suppresses and loses nobody', patient, async () => {
  const { rounds, people } = countsOf('mailDirectory')
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    await mailbox.fault({ status: 550, times: forever })
    const messages = [await send(people), await send(people)]
    await untilParked(messages)
    expect(await suppressed()).toBe(0)
    expect((await api.ask('/v1/health')).body).toMatchObject({
      status: 'degraded',
      parked: { unknown_recipients: 2 },
    })
    await mailbox.forgetFaults()
    const mended = performance.now()
    await untilSent(installation, messages, probedWithinMs)
    times.push(performance.now() - mended)
    expect(await suppressed()).toBe(0)
  }
  expect(await expectMailInvariants(installation, mailbox)).toEqual({ unknown: 0, twice: 0 })
  recordMeasurement(
    'mailDirectory',
    `${rounds} times 2 sends to ${people}; all were mailed after the mending: ${spread(times)}`,
  )
})

it(
  'a list that is really dead ends once a person says so, each address with its reason',
  patient,
  async () => {
    const { people } = countsOf('mailDirectory')
    await mailbox.fault({ status: 550, times: forever })
    const message = await send(people)
    await untilParked([message])
    const retryAt = performance.now()
    await installation.carillon('retry', message.id, '--believe')
    await untilClosed(installation, [message], 'failed')
    const { rows } = await sql<{ state: string; reason: string; n: number }>`
    select delivery.state, reason, count(*)::int as n from delivery join wave on wave.id = wave_id
    where message_id = ${message.id} and delivery.state <> 'skipped' group by 1, 2`.execute(installation.db)
    expect(rows).toEqual([{ state: 'failed', reason: 'bad_address', n: people }])
    expect(await suppressed()).toBe(people)
    expect((await api.ask('/v1/health')).body.failedSends).toMatchObject({
      ...{ sends: 1, people, reached: 0 },
      reasons: [{ channel: 'email', reason: 'bad_address', deliveries: people }],
    })
    await mailbox.forgetFaults()
    await expectMailInvariants(installation, mailbox)
    expect(secondsOf(performance.now() - retryAt)).toMatch(/s$/)
  },
)
