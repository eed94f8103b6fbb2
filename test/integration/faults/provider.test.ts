import { beforeAll, beforeEach, expect, it } from 'vitest'
import { eventually } from '../../harness/eventually.ts'
import { forFile } from '../../harness/for-file.ts'
import { openRoute } from '../../harness/route.ts'
import { countsOf, patient } from './counts.ts'
import { startInstallation } from './world/installation.ts'
import { expectInvariants } from './world/invariants.ts'
import type { Entry } from './world/journal.ts'
import { recordMeasurement, secondsOf, spread } from './world/measurements.ts'
import { type Crowd, insertCrowd } from './world/people.ts'
import type { PlannedMessage } from './world/producer.ts'
import { untilClosed, untilSent } from './world/wait-for.ts'

/** How long the adapter waits for the provider. */
const chatTimeoutMs = 10_000

const installation = forFile(startInstallation)
const route = forFile(() => openRoute(installation.simulator.port))
const api = forFile(() => installation.startApi())
beforeAll(async () => {
  await installation.startWorker({ CHAT_BASE_URL: `http://127.0.0.1:${route.port}` })
})
beforeEach(() => installation.simulator.forgetFaults())

const send = (crowd: Crowd) => api.send(installation.plan(crowd))

/** Sends to one person, and cuts the provider's first response. */
async function sendCut(): Promise<PlannedMessage> {
  const crowd = await insertCrowd(installation.db, 1)
  await installation.simulator.fault({ to: crowd.recipients[0], cut: 'before-reply' })
  return send(crowd)
}

/** The statuses of a message's calls, in their order. */
function statusesOf({ marker }: PlannedMessage): number[] {
  return callsOf(marker).map(({ status }) => status)
}

function callsOf(marker: string): Entry[] {
  return installation.simulator.journal().filter((call) => call.marker === marker)
}

it(
  'a connection cut after the provider accepted: the retry is answered 409 and counts as sent',
  patient,
  async () => {
    const { cuts } = countsOf('cutOff')
    const begun = performance.now()
    const messages = await Promise.all(Array.from({ length: cuts }, sendCut))
    await untilSent(installation, messages, 20_000 + cuts * 350)
    for (const message of messages) expect(statusesOf(message)).toEqual([200, 409])
    await expectInvariants(installation)
    recordMeasurement(
      'cutOff',
      `${cuts} cuts; all counted as sent after ${secondsOf(performance.now() - begun)}`,
    )
  },
)

it('a temporary rejection is retried, never before Retry-After has passed', patient, async () => {
  const { rounds } = countsOf('refused')
  const late: number[] = []
  for (let round = 0; round < rounds; round++) {
    for (const status of [429, 500, 503]) {
      for (const retryAfter of [undefined, 2]) {
        await installation.simulator.fault({ status, ...(retryAfter && { retryAfter }) })
        const message = await send(await insertCrowd(installation.db, 3))
        await untilSent(installation, [message])
        const calls = callsOf(message.marker)
        expect(calls.map((call) => call.status)).toEqual([status, ...okCalls(calls)])
        if (retryAfter) {
          const waited = calls[1]!.at - calls[0]!.at
          expect(waited).toBeGreaterThanOrEqual(retryAfter * 1_000)
          late.push(waited - retryAfter * 1_000)
        }
      }
    }
  }
  await expectInvariants(installation)
  recordMeasurement('refused', `${rounds * 6} refusals; called again after Retry-After: ${spread(late)}`)
})

/** Two locales make two calls; only the first is rejected. */
function okCalls(calls: Entry[]): number[] {
  return calls.slice(1).map(() => 200)
}

it('half-open connections end by one timeout, and every recipient is sent to once', patient, async () => {
  const { rounds } = countsOf('halfOpen')
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    for (const half of ['mute', 'silent'] as const) {
      await untilSent(installation, [await send(await insertCrowd(installation.db, 1))]) // there is an open connection now
      const before = route.unanswered()
      route.set(half)
      const message = await send(await insertCrowd(installation.db, 1))
      const begun = performance.now()
      await eventually(() => expect(route.unanswered()).toBeGreaterThan(before))
      route.set('open') // for new connections; the one of this call never recovers
      await untilSent(installation, [message], 2 * chatTimeoutMs)
      expect(await triesOf(message)).toBe(2) // the unanswered one has timed out
      expect(statusesOf(message)).toEqual(half === 'mute' ? [200, 409] : [200])
      times.push(performance.now() - begun)
    }
  }
  await expectInvariants(installation)
  recordMeasurement('halfOpen', `${rounds * 2} times; sent after: ${spread(times)}`)
})

/** How many tries of a message's calls have ended. */
async function triesOf({ id }: PlannedMessage): Promise<number> {
  const call = await installation.db
    .selectFrom('call')
    .innerJoin('wave', 'wave.id', 'call.wave_id')
    .select('tries')
    .where('message_id', '=', id)
    .executeTakeFirst()
  return call?.tries ?? 0
}

it('one bad address among 500 fails alone, whether the provider names it or not', patient, async () => {
  const { rounds } = countsOf('badAddress')
  for (let round = 0; round < rounds; round++) {
    const named = await badOne('named')
    const unnamed = await badOne('unnamed')
    await untilClosed(installation, [named, unnamed], 'sent')
    for (const message of [named, unnamed])
      expect((await api.patient.read(message)).body.stats).toMatchObject({ sent: 499, failed: 1 })
  }
  await expectInvariants(installation)
  recordMeasurement('badAddress', `${rounds * 2} messages to 500, 499 sent of each`)
})

/** Sends to 500 people, one of whom is unknown to the provider. */
async function badOne(how: 'named' | 'unnamed'): Promise<PlannedMessage> {
  const crowd = await insertCrowd(installation.db, 500)
  const [bad] = crowd.recipients
  const body = {
    named: {
      message: 'The request body has 1 error(s)',
      details: [{ message: 'Must be a user ID', property: 'to[0]' }],
    },
    unnamed: { message: 'Failed to send messages' },
  }
  await installation.simulator.fault({
    to: bad,
    status: 400,
    times: how === 'named' ? 1 : 100,
    body: body[how],
  })
  return send(crowd)
}
