import { randomUUID } from 'node:crypto'
import { beforeAll, expect, it } from 'vitest'
import { makeRunsDue } from '../../../src/db/queries/run/reconcile.ts'
import { eventually } from '../../harness/eventually.ts'
import { forFile } from '../../harness/for-file.ts'
import { countsOf, patient } from './counts.ts'
import { startInstallation } from './world/installation.ts'
import { expectInvariants } from './world/invariants.ts'
import { recordMeasurement, secondsOf } from './world/measurements.ts'
import { type Crowd, insertCrowd } from './world/people.ts'
import type { PlannedMessage } from './world/producer.ts'
import { farAhead, reschedule } from './world/reschedule.ts'
import { forever } from './world/simulator.ts'
import { untilClosed, untilObserved, untilSent, untilSentTo } from './world/wait-for.ts'

const seenMs = 20_000
const backMs = 10_000

let crowd: Crowd
const installation = forFile(startInstallation)
const api = forFile(() => installation.startApi())
beforeAll(async () => {
  await installation.startWorker()
  crowd = await insertCrowd(installation.db, 2)
  // The send in the middle takes at least 5 s, so that the operator acts before it ends on any machine.
  await installation.simulator.fault({ delayMs: 1_000, times: forever })
})

/** The handle by which an operator reaches the run of a message. */
const runOf = ({ id }: PlannedMessage) => installation.temporal.client.workflow.getHandle(`message/${id}`)

const hands: Record<'terminate' | 'reset' | 'cancel', (message: PlannedMessage) => Promise<unknown>> = {
  terminate: (message: PlannedMessage) => runOf(message).terminate('by hand'),
  cancel: (message: PlannedMessage) => runOf(message).cancel(),
  async reset(message: PlannedMessage) {
    const { client, namespace } = installation.temporal
    const { workflowId, runId } = await runOf(message).describe()
    await client.workflowService.resetWorkflowExecution({
      namespace,
      workflowExecution: { workflowId, runId },
      reason: 'by hand',
      workflowTaskFinishEventId: await lastTask(message),
      requestId: randomUUID(),
    })
  },
}

/** The newest workflow task of a run that has completed; a reset goes back to it. */
async function lastTask(message: PlannedMessage) {
  const { events } = await runOf(message).fetchHistory()
  return events!.findLast((event) => event.workflowTaskCompletedEventAttributes)!.eventId!
}

/** Messages that wait for their send time, and one in the middle of its send; the operator acts on each. */
async function prepare(
  hand: keyof typeof hands,
): Promise<{ waiting: PlannedMessage[]; sending: PlannedMessage }> {
  const count = countsOf('operator')['runs each']
  const scheduleAt = farAhead()
  const planned = Array.from({ length: count - 1 }, () => installation.plan(crowd, { scheduleAt }))
  const waiting = await Promise.all(planned.map(api.send))
  await untilObserved(installation, waiting, seenMs)
  const sending = await api.send(installation.plan(await insertCrowd(installation.db, 10_000)))
  await untilSentTo(installation, sending, 500)
  await Promise.all([...waiting, sending].map(hands[hand]))
  return { waiting, sending }
}

/** Waits until a message has a run again, or needs none. */
const untilRestarted = (message: PlannedMessage) =>
  eventually(async () => expect((await runOf(message).describe()).status.name).toMatch(/RUNNING|COMPLETED/), {
    limitMs: backMs,
  })

it.each(['terminate', 'reset'] as const)(
  'a run is restarted after a %s, and repeats no effect',
  patient,
  async (hand) => {
    const { waiting, sending } = await prepare(hand)
    const begun = performance.now()
    await Promise.all(waiting.map(untilRestarted))
    const back = performance.now() - begun
    await untilSent(installation, [sending])
    const took = performance.now() - begun
    await reschedule(installation, waiting, { scheduleAt: Date.now() })
    await makeRunsDue(installation.db)
    await untilSent(installation, waiting)
    await expectInvariants(installation)
    recordMeasurement(
      'operator',
      `${hand} of ${waiting.length + 1} runs: those that waited were back after ${secondsOf(back)}, ` +
        `the one in mid-wave was sent after ${secondsOf(took)}`,
    )
  },
)

it(
  'a cancel requested in the Temporal UI cancels the message, or pauses it once a recipient was sent to',
  patient,
  async () => {
    const { waiting, sending } = await prepare('cancel')
    const begun = performance.now()
    await untilClosed(installation, waiting, 'cancelled')
    await eventually(async () => expect((await api.patient.read(sending)).body.state).toBe('paused'))
    const took = performance.now() - begun
    expect((await api.patient.read(sending)).body.timeline.at(-1)).toMatchObject({
      by: { id: 'operator:temporal' },
    })
    expect(await api.patient.resume(sending)).toMatchObject({ status: 200, body: { state: 'sending' } })
    await untilSent(installation, [sending])
    await expectInvariants(installation)
    recordMeasurement(
      'operator',
      `cancel of ${waiting.length + 1} runs: carried out after ${secondsOf(took)}`,
    )
  },
)
