import { beforeAll, expect, it } from 'vitest'
import { selectRows } from '../../fixtures/rows.ts'
import { eventually } from '../../harness/eventually.ts'
import { forFile } from '../../harness/for-file.ts'
import { countsOf, patient } from './counts.ts'
import { startInstallation } from './world/installation.ts'
import { expectInvariants } from './world/invariants.ts'
import { recordMeasurement, spread } from './world/measurements.ts'
import { type Crowd, insertCrowd } from './world/people.ts'
import type { Answer, PlannedMessage } from './world/producer.ts'
import { installSeams, type Seam } from './world/seams.ts'
import { startVictim } from './world/victim.ts'
import { statesOf, untilObserved, untilSent } from './world/wait-for.ts'

const actedOnMs = 5_000

let crowd: Crowd
const installation = forFile(startInstallation)
const seams = forFile(() => installSeams(installation.databaseUrl))
const survivor = forFile(() => installation.startApi())
beforeAll(async () => {
  await installation.startWorker()
  crowd = await insertCrowd(installation.db, 2)
})

/** Three messages, each before a different step. */
async function prepare() {
  const messages = {
    create: installation.plan(crowd),
    submit: installation.plan(crowd),
    approve: installation.plan(crowd),
  }
  for (const message of [messages.submit, messages.approve]) await survivor.patient.create(message)
  await survivor.patient.submit(messages.approve)
  return messages
}
type Prepared = Awaited<ReturnType<typeof prepare>>

const after = { create: 'draft', submit: 'submitted', approve: 'approved' }

/** Three operations at once, and the death of the API while all of them are held at the seam. */
async function killAt(seam: Seam, messages: Prepared): Promise<Answer[]> {
  const { api, toPostgres, toTemporal, kill } = await startVictim(installation, seams)
  const replies = seam === 'before the wake'
  if (replies) toTemporal.set('silent')
  else await seams.hold(seam)
  const producer = replies ? api.patient : api // a busy machine may ask for another try; a held call gets no reply
  const calls = Promise.all(
    (['create', 'submit', 'approve'] as const).map((verb) => producer[verb](messages[verb])),
  )
  if (replies) await calls
  else await seams.untilHeld(3)
  if (seam === 'before the reply') {
    toPostgres.set('mute')
    await seams.release()
    await eventually(async () => expect(await committed(messages)).toEqual([true, true, true]))
  }
  await kill()
  return calls
}

/** Which of the three operations are in the database. */
async function committed({ create, submit, approve }: Prepared): Promise<boolean[]> {
  const { rows } = await findByKey(create)
  const standing = await statesOf(installation, [submit, approve])
  return [
    rows.length === 1,
    standing.get(submit.id)?.state === after.submit,
    ['approved', 'sending', 'sent'].includes(standing.get(approve.id)!.state),
  ]
}

async function findByKey({ key }: PlannedMessage) {
  const rows = await selectRows(installation.db, 'message', { idempotency_key: key }, ['id'])
  return { rows }
}

/** Repeats what a producer has received no response to, through a live process. */
async function retry(messages: Prepared, done: boolean): Promise<void> {
  expect(await survivor.patient.create(messages.create)).toMatchObject({
    status: done ? 200 : 201,
    body: { created: !done },
  })
  expect((await findByKey(messages.create)).rows).toEqual([{ id: messages.create.id }])
  for (const verb of ['submit', 'approve'] as const)
    expect((await survivor.patient[verb](messages[verb])).status).toBe(done ? 409 : 200)
}

it.each([
  { seam: 'before the write', done: false },
  { seam: 'before the commit', done: false },
  { seam: 'before the reply', done: true },
  { seam: 'before the wake', done: true },
] as const)(
  'an API that dies $seam leaves all or nothing, and a retry completes',
  patient,
  async ({ seam, done }) => {
    const { rounds } = countsOf('apiKilled')
    const times: number[] = []
    for (let round = 0; round < rounds; round++) {
      const messages = await prepare()
      const answers = await killAt(seam, messages)
      expect(answers.map(({ status }) => status)).toEqual(
        seam === 'before the wake' ? [201, 200, 200] : [0, 0, 0],
      )
      expect(await committed(messages)).toEqual([done, done, done])
      if (!done) await retry(messages, done)
      times.push(await untilObserved(installation, [messages.submit, messages.approve], actedOnMs))
      if (done) await retry(messages, done)
      await untilSent(installation, [messages.approve])
    }
    await expectInvariants(installation)
    recordMeasurement('apiKilled', `${seam}: ${rounds * 3} steps; acted on after: ${spread(times)}`)
  },
)
