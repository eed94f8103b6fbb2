import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { freePort } from '../../../dev/ports.ts'
import { tapOf } from '../../fixtures/conversations.ts'
import { selectRows } from '../../fixtures/rows.ts'
import { eventually } from '../../harness/eventually.ts'
import { openRoute, type Route } from '../../harness/route.ts'
import { countsOf, patient } from './counts.ts'
import { eventOf, postEvents, tapOnPhone, webhookAt } from './world/chat-events.ts'
import { type Api, type Installation, startInstallation } from './world/installation.ts'
import { accepted } from './world/journal.ts'
import { recordMeasurement, secondsOf } from './world/measurements.ts'
import {
  beginRuns,
  expectRunInvariants,
  type ScenarioWorld,
  setUpScenarios,
  takesScenarios,
  untilAt,
  untilDone,
  type WalkingRun,
  walkOf,
} from './world/scenarios.ts'
import { forever } from './world/simulator.ts'

/** Turns that are accepted and not answered when the provider goes down; the adapter waits 10 s for an answer. */
const inFlightMost = 10
const almostTimeoutMs = 9_000
/** Until each of 500 runs has tried to say something, and waits for the provider. */
const heldLimitMs = 60_000

let installation: Installation
let world: ScenarioWorld
let api: Api
let route: Route
beforeAll(async () => {
  const port = await freePort()
  installation = await startInstallation({ webhook: webhookAt(port) })
  world = await setUpScenarios(installation)
  route = await openRoute(installation.simulator.port)
  api = await installation.startApi({ ...takesScenarios, PORT: String(port) })
  await installation.startWorker({ ...takesScenarios, CHAT_BASE_URL: `http://127.0.0.1:${route.port}` })
})
afterAll(async () => {
  await installation.close()
  await route.close()
})
beforeEach(() => installation.simulator.forgetFaults())

/** Runs whose people are asked and have not answered. */
async function askedRuns(count: number): Promise<WalkingRun[]> {
  const runs = await beginRuns(installation, walkOf(world), count, 'ask')
  await untilAt(installation, runs, 'ask')
  return runs
}

/** Taps that are answered by pushes. */
async function tapWithoutTokens(runs: WalkingRun[]): Promise<void> {
  const taps = runs.map(({ id, address, answer }) => eventOf(address, tapOf(id, String(answer))))
  await postEvents(
    api,
    taps.map(({ replyToken, ...event }) => event),
  )
}

const pushes = () => accepted(installation.simulator.journal()).filter(({ endpoint }) => endpoint === 'push')

/** What the unit has paid, in pushes. */
async function paid(): Promise<number> {
  const accounts = await installation.db.selectFrom('quota_ledger').select('committed').execute()
  return accounts.reduce((sum, { committed }) => sum + Number(committed), 0)
}

it(
  'a provider that goes down in mid-conversation holds runs up, and has them paid once',
  patient,
  async () => {
    const { runs: count } = countsOf('scenarioProviderDown')
    const runs = await askedRuns(count)
    const before = pushes().length
    const inFlight = runs.slice(0, inFlightMost)
    await installation.simulator.fault({ endpoint: 'push', delayMs: almostTimeoutMs, times: forever })
    await tapWithoutTokens(inFlight)
    await eventually(() => expect(pushes().length).toBe(before + inFlight.length))
    route.set('gone') // what it has accepted, nobody learns
    const gone = performance.now()
    await tapWithoutTokens(runs.slice(inFlightMost))
    const ids = runs.map(({ id }) => id)
    const held = installation.db
      .selectFrom('scenario_run')
      .select('id')
      .where('problem', '=', 'provider')
      .where('id', 'in', ids)
    await eventually(async () => expect(await held.execute()).toHaveLength(count), { limitMs: heldLimitMs })
    await installation.simulator.forgetFaults()
    route.set('open')
    const begun = performance.now()
    const down = secondsOf(begun - gone)
    await untilDone(installation, runs)
    expect(pushes().length - before).toBe(count)
    expect(await paid()).toBe(pushes().length)
    await expectRunInvariants(installation, world)
    const took = secondsOf(performance.now() - begun)
    recordMeasurement(
      'scenarioProviderDown',
      `${count} runs; down for ${down}; all done ${took} after its return`,
    )
  },
)

/** What the provider does with the first reply to a person; its answer is lost either way. */
const lost = { taken: { cut: 'before-reply' }, refused: { status: 500, cut: 'before-reply' } }

it('a reply of unclear outcome is tried once more with its token, and never pushed', patient, async () => {
  const { replies } = countsOf('scenarioReplies')
  const runs = await askedRuns(replies)
  const firstHalf = runs.slice(0, replies / 2)
  for (const run of runs) {
    const fault = firstHalf.includes(run) ? lost.taken : lost.refused
    await installation.simulator.fault({ endpoint: 'reply', to: run.address, ...fault })
  }
  const [before, paidBefore] = [pushes().length, await paid()]
  for (const run of runs) await tapOnPhone(installation, run)
  await untilDone(installation, runs)

  const turns = await selectRows(installation.db, 'turn', { number: 2 }, ['run_id', 'state', 'by', 'tries'])
  const ends = new Map(turns.map(({ run_id, ...turn }) => [run_id, turn]))
  for (const run of runs) {
    const state = firstHalf.includes(run) ? 'unknown' : 'sent'
    expect(ends.get(run.id)).toEqual({ state, by: 'reply', tries: 2 })
  }
  expect([pushes().length, await paid()]).toEqual([before, paidBefore])
  await expectRunInvariants(installation, world)
  recordMeasurement(
    'scenarioReplies',
    `${replies} replies: ${firstHalf.length} accepted and kept unknown, the others sent by their second try`,
  )
})
