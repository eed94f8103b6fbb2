import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { makeRunsDue } from '../../../src/db/queries/run/reconcile.ts'
import { selectRows } from '../../fixtures/rows.ts'
import { forFile } from '../../harness/for-file.ts'
import { countsOf, patient } from '../faults/counts.ts'
import { type Api, startInstallation } from '../faults/world/installation.ts'
import { expectInvariants } from '../faults/world/invariants.ts'
import { recordMeasurement } from '../faults/world/measurements.ts'
import { type Crowd, insertCrowd } from '../faults/world/people.ts'
import type { PlannedMessage } from '../faults/world/producer.ts'
import { farAhead, reschedule } from '../faults/world/reschedule.ts'
import { untilClosed, untilObserved, untilSent } from '../faults/world/wait-for.ts'

const seenMs = 20_000
/** The runs observe their rows before that, on an idle machine. */
const dueInMs = 3_000
const atOnce = 10
/** Calls about one message come within this time in any order; a cancel may also come later, while it is being sent. */
const spreadMs = { submit: 200, approve: 200, cancel: 2_000 }

/** The race is to be in the database, not for a connection to it. */
const pool = { DB_POOL_SIZE: '40' }

let apis: [Api, Api]
let crowd: Crowd
const installation = forFile(startInstallation)
beforeAll(async () => {
  apis = [await installation.startApi(pool), await installation.startApi(pool)]
  await installation.startWorker()
  crowd = await insertCrowd(installation.db, 1)
  await untilSent(installation, [await apis[0].send(installation.plan(crowd))]) // from here on the worker races too
})

/** One of two API processes: what races in Carillon does not race within one process only. */
function anyApi(): Api['patient'] {
  return apis[Math.random() < 0.5 ? 0 : 1].patient
}

/** Runs `work` for all of them, `count` at a time. */
async function each<T>(things: T[], work: (thing: T) => Promise<void>): Promise<void> {
  const left = [...things]
  const worker = async () => {
    for (let thing = left.pop(); thing !== undefined; thing = left.pop()) await work(thing)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}

it('a hundred creates with one key make one message', patient, async () => {
  const { rounds } = countsOf('sameKey')
  for (let round = 0; round < rounds; round++) {
    const message = installation.plan(crowd)
    const answers = await Promise.all(Array.from({ length: 100 }, () => anyApi().create(message)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([...Array(99).fill(200), 201])
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
    const rows = await selectRows(installation.db, 'message', { idempotency_key: message.key }, ['id'])
    expect(rows).toEqual([{ id: message.id }])
  }
  recordMeasurement('sameKey', `${rounds} times`)
})

it('concurrent submit, approve and cancel end in a legal state', patient, async () => {
  const { messages: count } = countsOf('interleavings')
  const messages = Array.from({ length: count }, () => installation.plan(crowd))
  const ends: Record<string, number> = {}
  await each(messages, async (message) => {
    await anyApi().create(message)
    const verbs = ['submit', 'submit', 'approve', 'approve', 'cancel'] as const
    const answers = await Promise.all(
      verbs.map(async (verb) => {
        await until(Date.now() + Math.random() * spreadMs[verb])
        return anyApi()[verb](message)
      }),
    )
    for (const { status, body } of answers)
      if (status !== 200) expect([status, body.error.code]).toEqual([409, 'invalid_transition'])
    const { state } = (await anyApi().read(message)).body
    ends[state] = (ends[state] ?? 0) + 1
  })
  await untilObserved(installation, messages, seenMs)
  await expectLedgerFree()
  await expectInvariants(installation)
  recordMeasurement('interleavings', `${count} messages; right after: ${JSON.stringify(ends)}`)
})

/** Everyone was sent to or will not be: reservations remain only for messages that are not closed yet. */
async function expectLedgerFree(): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select id from message where state in ('approved', 'sending')`.execute(installation.db)
  await untilClosed(
    installation,
    rows.map(({ id }) => ({ id }) as PlannedMessage),
    'sent',
  )
  const { rows: held } = await sql`select * from quota_ledger where reserved > 0`.execute(installation.db)
  expect(held).toEqual([])
}

it('a cancel at the send time wins and nothing is sent, or it comes too late', patient, async () => {
  const { messages: count } = countsOf('cancelAtSendTime')
  const messages = Array.from({ length: count }, () => installation.plan(crowd, { scheduleAt: farAhead() }))
  await each(messages, async (message) => {
    await anyApi().create(message)
    await anyApi().submit(message)
  })
  // Half of them are approved long before their send time, the others exactly at it.
  const early = messages.filter((_, n) => n % 2 === 0)
  await each(early, async (message) => {
    expect(await anyApi().approve(message)).toMatchObject({ status: 200 })
  })
  await untilObserved(installation, early, seenMs)
  const scheduleAt = Date.now() + dueInMs
  await reschedule(installation, messages, { scheduleAt })
  await makeRunsDue(installation.db)
  await Promise.all(
    messages.map(async (message) => {
      await until(scheduleAt + (Math.random() < 0.5 ? Math.random() * 10 - 5 : Math.random() * 3_000))
      const approved = early.includes(message) ? undefined : anyApi().approve(message)
      await Promise.all([approved, anyApi().cancel(message)])
    }),
  )
  const cancelled = messages.filter(({ withheldAt }) => withheldAt !== undefined)
  await untilClosed(installation, cancelled, 'cancelled')
  await untilSent(
    installation,
    messages.filter((message) => !cancelled.includes(message)),
  )
  await expectInvariants(installation)
  recordMeasurement(
    'cancelAtSendTime',
    `${count} messages; ${cancelled.length} were cancelled, the others sent`,
  )
})

/** Waits for a time of the clock (ms since the epoch). */
function until(at: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, at - Date.now()))
}
