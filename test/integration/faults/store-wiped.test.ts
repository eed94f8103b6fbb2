import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { eventually } from '../../harness/eventually.ts'
import { forFile } from '../../harness/for-file.ts'
import { countsOf, patient } from './counts.ts'
import { startInstallation } from './world/installation.ts'
import { expectInvariants } from './world/invariants.ts'
import { recordMeasurement, secondsOf } from './world/measurements.ts'
import { type Crowd, insertCrowd } from './world/people.ts'
import type { PlannedMessage } from './world/producer.ts'
import { farAhead, reschedule } from './world/reschedule.ts'
import { ownTemporal } from './world/servers.ts'
import { forever } from './world/simulator.ts'
import { untilClosed, untilSent, untilSentTo } from './world/wait-for.ts'

const reconciledMs = 10_000
/**
 * A run in mid-step is woken when its minute has passed; the reconciler does so within 5 s
 * (docs/design/rows-and-runs.md).
 */
const reconcilerMs = 65_000

let crowd: Crowd
const temporal = forFile(ownTemporal)
const installation = forFile(() => startInstallation({ temporal }))
const api = forFile(() => installation.startApi())
beforeAll(async () => {
  await installation.startWorker()
  crowd = await insertCrowd(installation.db, 2)
  await installation.simulator.fault({ delayMs: 200, times: forever })
})

type OpenMessages = Record<'draft' | 'submitted' | 'scheduled' | 'paused' | 'expiring', PlannedMessage[]> & {
  sending: PlannedMessage
}

/** Messages in every open state, one of them in the middle of its send. */
async function createOpenMessages(count: number): Promise<OpenMessages> {
  const dueAt = farAhead()
  const make = (share: number, times: object = {}) =>
    Array.from({ length: Math.round(count * share) }, () => installation.plan(crowd, times))
  const all = {
    draft: make(0.1),
    submitted: make(0.25),
    scheduled: make(0.25, { scheduleAt: dueAt }),
    paused: make(0.2, { scheduleAt: dueAt }),
    expiring: make(0.15, { expiresAt: dueAt }),
    sending: installation.plan(await insertCrowd(installation.db, 10_000)),
  }
  const others = [...all.submitted, ...all.scheduled, ...all.paused, ...all.expiring, all.sending]
  for (const message of [...all.draft, ...others]) await api.patient.create(message)
  for (const message of others) await api.patient.submit(message)
  for (const message of [...all.scheduled, ...all.paused]) await api.patient.approve(message)
  for (const message of all.paused) expect(await api.patient.pause(message)).toMatchObject({ status: 200 })
  expect(await api.patient.approve(all.sending)).toMatchObject({ status: 200 })
  await untilSentTo(installation, all.sending, 500)
  return all
}

/** Waits until every run with something to do has observed its row. */
async function untilRowsObserved(limitMs: number): Promise<number> {
  const begun = performance.now()
  await eventually(
    async () => {
      const { rows } = await sql`
        select id, state from message where closed_at is null and state <> 'draft'
          and (observed_version < version or next_wakeup_at < now() - interval '1 second')`.execute(
        installation.db,
      )
      expect(rows).toEqual([])
    },
    { limitMs },
  )
  return performance.now() - begun
}

/** The store is lost; only now do the times come that the runs waited for. */
async function loseStore({ scheduled, paused, expiring }: OpenMessages): Promise<void> {
  await temporal.wipe()
  await temporal.start()
  await reschedule(installation, [...scheduled, ...paused], { scheduleAt: Date.now() })
  await reschedule(installation, expiring, { expiresAt: Date.now() })
}

/** Messages that wait for a person continue when one acts, and all end as they should. */
async function expectRightEnds({ draft, submitted, scheduled, paused, expiring, sending }: OpenMessages) {
  for (const message of submitted) expect(await api.patient.approve(message)).toMatchObject({ status: 200 })
  for (const message of paused) expect(await api.patient.resume(message)).toMatchObject({ status: 200 })
  await untilSent(installation, [sending, ...submitted, ...scheduled, ...paused])
  await untilClosed(installation, expiring, 'expired')
  for (const message of draft)
    expect((await api.patient.read(message)).body).toMatchObject({ state: 'draft' })
  await expectInvariants(installation)
}

it("after the loss of Temporal's store, `carillon reconcile` restarts every run", patient, async () => {
  const { messages } = countsOf('storeWiped')
  const all = await createOpenMessages(messages)
  await loseStore(all)
  await installation.carillon('reconcile')
  const took = await untilRowsObserved(reconciledMs)
  await expectRightEnds(all)
  recordMeasurement('storeWiped', `${messages} messages; all observed ${secondsOf(took)} after the command`)
})

it(
  'without `carillon reconcile`, the reconciler restarts every run with something to do',
  patient,
  async () => {
    const { messages } = countsOf('storeWiped')
    const all = await createOpenMessages(messages)
    await loseStore(all)
    const begun = performance.now()
    await untilSent(installation, [all.sending], reconcilerMs)
    const took = performance.now() - begun
    await expectRightEnds(all)
    recordMeasurement(
      'storeWiped',
      `${messages} messages without the command; the one in mid-wave sent after ${secondsOf(took)}`,
    )
  },
)
