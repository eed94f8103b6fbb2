import { expect, it } from 'vitest'
import { makeRunsDue } from '../../../src/db/queries/run/reconcile.ts'
import { eventually } from '../../harness/eventually.ts'
import { forFile } from '../../harness/for-file.ts'
import { countsOf, patient } from './counts.ts'
import { startInstallation } from './world/installation.ts'
import { expectInvariants } from './world/invariants.ts'
import { accepted } from './world/journal.ts'
import { recordMeasurement, spread } from './world/measurements.ts'
import { insertCrowd } from './world/people.ts'
import type { PlannedMessage } from './world/producer.ts'
import { farAhead, reschedule } from './world/reschedule.ts'
import { forever } from './world/simulator.ts'
import { statesOf, untilSent } from './world/wait-for.ts'

const apartMs = 5_000
/** The runs observe their rows before that, on an idle machine. */
const dueInMs = 3_000

const installation = forFile(startInstallation)
const api = forFile(() => installation.startApi())

async function untilClosed(messages: PlannedMessage[]): Promise<void> {
  await eventually(
    async () => {
      const standing = await statesOf(installation, messages)
      for (const { id } of messages) expect(standing.get(id)).toMatchObject({ closed: true })
    },
    { limitMs: 40_000 },
  )
}

it.each([
  ['fast', apartMs],
  ['slow', -apartMs],
])('a worker whose clock is 5 s %s sends neither early nor after the expiry', patient, async (_, shiftMs) => {
  const { messages: count } = countsOf('clocks')
  await installation.simulator.forgetFaults()
  const worker = await installation.startWorker({ CLOCK_SHIFT_MS: String(shiftMs) }, [
    '--import',
    './test/integration/faults/world/shift-clock.ts',
  ])
  await untilSent(installation, [await api.send(installation.plan(await insertCrowd(installation.db, 1)))]) // it works

  const crowd = await insertCrowd(installation.db, 2)
  const planned = { scheduleAt: farAhead() }
  const due = Array.from({ length: count }, () => installation.plan(crowd, planned))
  const ending = { ...planned, expiresAt: planned.scheduleAt + 1_000 }
  const many = installation.plan(await insertCrowd(installation.db, 10_000), ending)
  await Promise.all([...due, many].map(api.send))
  await installation.simulator.fault({ delayMs: 1_000, times: forever })
  const scheduleAt = Date.now() + dueInMs
  await reschedule(installation, due, { scheduleAt })
  // Expires after a second; its 20 calls of a second each, four at a time, take five.
  await reschedule(installation, [many], { scheduleAt, expiresAt: scheduleAt + 1_000 })
  await makeRunsDue(installation.db)
  await untilSent(installation, due)
  await untilClosed([many])
  expect((await statesOf(installation, [many])).get(many.id)!.sent ?? 0).toBeLessThan(10_000)
  await expectInvariants(installation)

  const markers = new Set(due.map(({ marker }) => marker))
  const late = accepted(installation.simulator.journal())
    .filter(({ marker }) => markers.has(marker))
    .map(({ at }) => at - scheduleAt)
  recordMeasurement('clocks', `clock ${shiftMs / 1000} s off; called after the send time: ${spread(late)}`)
  await worker.stop()
})
