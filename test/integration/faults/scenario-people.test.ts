import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { freePort } from '../../../dev/ports.ts'
import type { ScenarioContent } from '../../../src/contract/scenarios/content.ts'
import { option, tapOf, text } from '../../fixtures/conversations.ts'
import { selectRows } from '../../fixtures/rows.ts'
import { eventually } from '../../harness/eventually.ts'
import { countsOf, patient } from './counts.ts'
import { canary } from './world/canaries.ts'
import { canaryScenario } from './world/canary-scenario.ts'
import { eventOf, postEvents, tap, tapOnPhone, webhookAt } from './world/chat-events.ts'
import { type Api, type Installation, startInstallation } from './world/installation.ts'
import { accepted } from './world/journal.ts'
import { recordMeasurement, spread } from './world/measurements.ts'
import {
  beginRuns,
  daySeconds,
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

let installation: Installation
let world: ScenarioWorld
let api: Api
beforeAll(async () => {
  const [port, ...metrics] = await Promise.all([freePort(), freePort(), freePort()])
  const [ofApi, ofWorker] = metrics.map((one) => ({ ...takesScenarios, METRICS_PORT: String(one) }))
  installation = await startInstallation({ webhook: webhookAt(port) })
  world = await setUpScenarios(installation)
  api = await installation.startApi({ ...ofApi, PORT: String(port) })
  await installation.startWorker(ofWorker)
})
afterAll(() => installation.close())
beforeEach(() => installation.simulator.forgetFaults())

const toldTo = (runs: WalkingRun[]) => {
  const addresses = new Set(runs.map(({ address }) => address))
  return accepted(installation.simulator.journal()).filter(({ to }) => to.some((one) => addresses.has(one)))
}

it('a crowd that answers within a short time is served', patient, async () => {
  const { people, seconds } = countsOf('scenarioCrowd')
  const runs = await beginRuns(installation, walkOf(world), people, 'ask')
  await untilAt(installation, runs, 'ask')
  const tappedAt = new Map<string, number>()
  const taps: Promise<void>[] = []
  for (const run of runs) {
    tappedAt.set(run.address, Date.now())
    taps.push(tapOnPhone(installation, run))
    await sleep((seconds * 1_000) / people)
  }
  await Promise.all(taps)
  await untilDone(installation, runs)
  const answers = toldTo(runs).filter(({ endpoint }) => endpoint === 'reply')
  expect(answers).toHaveLength(people)
  await expectRunInvariants(installation, world)
  const took = answers.map(({ at, to: [address] }) => at - tappedAt.get(address!)!)
  recordMeasurement('scenarioCrowd', `${people} people; answered after: ${spread(took)}`)
})

/** Runs of each kind that one round blocks in mid-turn: the worker makes few calls at once, and all must be under way. */
const blockedAtOnce = 10
/** For longer than it takes to block them, and shorter than the worker waits for an answer (ms). */
const heldMs = 9_000

it('who blocks the account in mid-turn hears nothing more, unless they follow again', patient, async () => {
  const { runs: count } = countsOf('scenarioBlocked')
  for (let left = count; left > 0; left -= blockedAtOnce) await blockInMidTurn(Math.min(left, blockedAtOnce))
  await expectRunInvariants(installation, world)
  recordMeasurement('scenarioBlocked', `${count} runs ended by a block, ${count} went on`)
})

async function blockInMidTurn(count: number): Promise<void> {
  await installation.simulator.fault({ delayMs: heldMs, times: forever })
  const runs = await beginRuns(installation, walkOf(world), 2 * count)
  const [blocking, following] = [runs.slice(0, count), runs.slice(count)]
  await eventually(() => expect(toldTo(runs)).toHaveLength(runs.length))
  for (const { address } of blocking) await installation.simulator.act(address, { kind: 'block' })
  const now = Date.now()
  for (const [type, at] of [
    ['follow', now],
    ['unfollow', now - 1_000], // late
  ] as const)
    await postEvents(
      api,
      following.map(({ address }) => eventOf(address, { type }, at)),
    )
  await installation.simulator.forgetFaults()
  const ids = blocking.map(({ id }) => id)
  await eventually(async () => {
    const rows = installation.db.selectFrom('scenario_run').select(['state', 'reason']).where('id', 'in', ids)
    expect(await rows.execute()).toEqual(ids.map(() => ({ state: 'failed', reason: 'blocked' })))
  })
  await untilAt(installation, following, 'ask')
  await tap(api, following)
  await untilDone(installation, following)
  expect(toldTo(blocking)).toHaveLength(count)
}

/** Asks twice; only `yes` and then `no` leads to the node `bye`. */
const twoQuestions: ScenarioContent = {
  nodes: [
    ...['ask', 'more'].map((id) => ({
      ...{ id, kind: 'question' as const, timeoutSeconds: daySeconds },
      message: {
        ...{ kind: 'buttons' as const, text: { 'zh-TW': canary.text } },
        actions: [option('yes', '要'), option('no', '不要')],
      },
    })),
    { id: 'bye', kind: 'message', messages: [text('期待下次')] },
    { id: 'end', kind: 'end' },
  ],
  edges: [
    { from: 'ask', to: 'more', when: { kind: 'option', optionId: 'yes' } },
    { from: 'more', to: 'bye', when: { kind: 'option', optionId: 'no' } },
    ...['ask', 'more'].flatMap((from) =>
      (['otherwise', 'timeout'] as const).map((kind) => ({ from, to: 'end', when: { kind } })),
    ),
    { from: 'bye', to: 'end' },
  ],
}

it('webhooks that come twice, out of order and late change nothing', patient, async () => {
  const { runs: count } = countsOf('scenarioWebhooks')
  const runs = await beginRuns(installation, twoQuestions, count)
  /** Posts what each person does: in requests of their own, at once and in any order, and again. */
  const happen = async (eventsOf: (run: WalkingRun) => object[]) => {
    const events = runs.flatMap(eventsOf)
    const again = events.map((event) => ({ ...event, deliveryContext: { isRedelivery: true } }))
    const shuffled = [...events, ...again].toSorted(() => Math.random() - 0.5)
    await Promise.all(shuffled.map((event) => postEvents(api, [event])))
  }
  const tapAt = ({ id, address }: WalkingRun, node: string, o: string, at?: number) =>
    eventOf(address, tapOf(id, o, node), at)

  await untilAt(installation, runs, 'ask')
  const taps = new Map(runs.map((run) => [run.id, tapAt(run, 'ask', '0')]))
  // Stored before the answer that leads there, so that it is too early for certain.
  await happen((run) => [tapAt(run, 'more', '0')])
  await happen((run) => [taps.get(run.id)!])
  await untilAt(installation, runs, 'more')
  await happen((run) => [
    tapAt(run, 'ask', '1', Date.now() - 60_000),
    taps.get(run.id)!,
    tapAt(run, 'more', '1'),
  ])
  const ids = runs.map(({ id }) => id)
  await eventually(async () => {
    const open = installation.db.selectFrom('scenario_run').select('id').where('id', 'in', ids)
    expect(await open.where('state', '<>', 'done').execute()).toEqual([])
  })
  await eventually(async () => {
    const unread = installation.db.selectFrom('webhook_event').select('id').where('outcome', 'is', null)
    expect(await unread.execute()).toEqual([])
  })

  const answers = await installation.db
    .selectFrom('scenario_answer')
    .select(['run_id', 'node', 'option_id'])
    .where('run_id', 'in', ids)
    .orderBy('node')
    .execute()
  for (const id of ids)
    expect(answers.filter(({ run_id }) => run_id === id)).toEqual([
      { run_id: id, node: 'ask', option_id: 'yes' },
      { run_id: id, node: 'more', option_id: 'no' },
    ])
  expect(toldTo(runs)).toHaveLength(3 * count)
  await expectRunInvariants(installation, world)
  recordMeasurement('scenarioWebhooks', `${count} runs, each with 10 events, of which two counted`)
})

it('what starts, producers and people say is in no history, log or metric', patient, async () => {
  await world.producer.fault({ body: JSON.stringify({ order: { id: canary.text } }) })
  const runs = await beginRuns(installation, canaryScenario(world), 1)
  const [{ id, address }] = runs as [WalkingRun]
  await untilAt(installation, runs, 'ask')
  await tap(api, runs)
  await untilAt(installation, runs, 'why')
  await postEvents(api, [eventOf(address, { type: 'message', message: { type: 'text', text: canary.text } })])
  const { db } = installation
  await eventually(async () => {
    const row = db.selectFrom('scenario_run').select(['state', 'variables']).where('id', '=', id)
    expect(await row.executeTakeFirst()).toEqual({
      state: 'done',
      variables: expect.objectContaining({
        ...{ secret: canary.text, order: { id: canary.text } },
        ...{ chosen: canary.option, typed: canary.text },
      }),
    })
  })
  const heard = await selectRows(db, 'webhook_event', { address }, ['payload'])
  expect(JSON.stringify(heard)).toContain(canary.token)
  await expectRunInvariants(installation, world)
})
