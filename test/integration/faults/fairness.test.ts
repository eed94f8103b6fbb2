import { beforeAll, expect, it } from 'vitest'
import { eventually } from '../../harness/eventually.ts'
import { forFile } from '../../harness/for-file.ts'
import { countsOf, patient } from './counts.ts'
import { startInstallation } from './world/installation.ts'
import { expectInvariants } from './world/invariants.ts'
import { accepted, type Entry } from './world/journal.ts'
import { recordMeasurement, spread } from './world/measurements.ts'
import { type Crowd, insertCrowd } from './world/people.ts'
import { type PlannedMessage, type Producer, producerAt } from './world/producer.ts'
import { setUpExtraUnit } from './world/set-up.ts'
import { forever } from './world/simulator.ts'
import { untilSent, untilSentTo } from './world/wait-for.ts'

/** More waves than have slots at full speed: 8 waves of 4 lanes (src/temporal/workers.ts). */
const waves = 12
/** Each of 500 to a batch, with six calls of five texts: a batch takes longer than a slice, and a wave nine seconds. */
const big = { people: 6_000, texts: 30 }
/** Small sends submitted together behind the same big ones. */
const atOnce = 5
const calledMs = 20_000

let other: Producer
let few: Crowd
const installation = forFile(startInstallation)
const api = forFile(() => installation.startApi())
beforeAll(async () => {
  other = producerAt(api.url, await setUpExtraUnit(installation.db, 'Library'))
  await installation.simulator.fault({ delayMs: 500, times: forever })
  await installation.startWorker()
  few = await insertCrowd(installation.db, 1)
  await untilSent(installation, [await other.send(installation.plan(few))]) // from here on the worker is warm
})

/** A send to one person that only waits for its approval. */
async function prepare(): Promise<PlannedMessage> {
  const message = installation.plan(few)
  await other.patient.create(message)
  await other.patient.submit(message)
  return message
}

/** Approves it. Returns its provider call, and how long after the approval's response it came (ms). */
async function approveAndWait(message: PlannedMessage): Promise<{ call: Entry; waitedMs: number }> {
  expect(await other.patient.approve(message)).toMatchObject({ status: 200 })
  const answered = Date.now()
  const call = await eventually(
    () => {
      expect(callsOf(message)).toHaveLength(1)
      return callsOf(message)[0]!
    },
    { limitMs: calledMs },
  )
  return { call, waitedMs: Math.max(0, call.at - answered) }
}

/** The calls of a message that the provider has accepted, in order. */
function callsOf({ marker }: PlannedMessage): Entry[] {
  return accepted(installation.simulator.journal()).filter((call) => call.marker === marker)
}

/** The share of these calls that came after this one. */
function shareAfter({ seq }: Entry, calls: Entry[]): number {
  return calls.filter((call) => call.seq > seq).length / calls.length
}

it("a small send of one unit does not wait behind another unit's big ones", patient, async () => {
  const { sends } = countsOf('fairness')
  const alone: number[] = []
  for (let n = 0; n < sends; n++) alone.push((await approveAndWait(await prepare())).waitedMs)

  const crowd = await insertCrowd(installation.db, big.people)
  const behind: number[] = []
  const toCome: number[] = []
  while (behind.length < sends) {
    const small = await Promise.all(Array.from({ length: Math.min(atOnce, sends - behind.length) }, prepare))
    const before = await Promise.all(
      Array.from({ length: waves }, () => api.send(installation.plan(crowd, { texts: big.texts }))),
    )
    for (const message of before) await untilSentTo(installation, message, 1)
    const sent = await Promise.all(small.map(approveAndWait))
    await untilSent(installation, [...small, ...before])

    const firstEnd = Math.min(...before.map((message) => callsOf(message).at(-1)!.seq))
    for (const { call, waitedMs } of sent) {
      expect(call.seq).toBeLessThan(firstEnd)
      behind.push(waitedMs)
      toCome.push(shareAfter(call, before.flatMap(callsOf)))
    }
  }
  await expectInvariants(installation)
  recordMeasurement(
    'fairness',
    `${sends} sends; waited alone: ${spread(alone)}; behind ${waves} waves: ${spread(behind)}, ` +
      `with at least ${Math.floor(100 * Math.min(...toCome))} % of their calls still to come`,
  )
})
