import { beforeAll, expect, it } from 'vitest'
import { tapOf } from '../../fixtures/conversations.ts'
import { insertPattern } from '../../fixtures/patterns.ts'
import { insertScenarioRun } from '../../fixtures/scenario-rows.ts'
import { eventually } from '../../harness/eventually.ts'
import { forFile } from '../../harness/for-file.ts'
import { countsOf, patient } from './counts.ts'
import { eventOf, postEvents, tap } from './world/chat-events.ts'
import { startInstallation } from './world/installation.ts'
import { recordMeasurement, secondsOf } from './world/measurements.ts'
import {
  beginRuns,
  expectRunInvariants,
  setUpScenarios,
  takesScenarios,
  untilAt,
  untilDone,
  untilLookingUp,
  type WalkingRun,
  walkOf,
} from './world/scenarios.ts'
import { ownTemporal } from './world/servers.ts'

const temporal = forFile(ownTemporal)
const installation = forFile(() => startInstallation({ temporal }))
const world = forFile(() => setUpScenarios(installation))
const api = forFile(() => installation.startApi(takesScenarios))
beforeAll(async () => {
  await installation.startWorker(takesScenarios)
})

/** Runs come back for as long as those at questions, timers and Lookups do. */
const patience = { limitMs: 60_000 }

/** Runs that wait for a place, and the one that has it. */
type Waiting = { holder: Place; waiting: Place[] }
type Place = { id: string; address: string; node: string }

async function waitForPlaces(count: number): Promise<Waiting> {
  const { db, unitId } = installation
  const { scenario } = await insertPattern(db, {}, unitId)
  for (let n = 0; n <= count; n += 1) await insertScenarioRun(db, { scenario, columns: { node: 'take' } })
  const runs = db
    .selectFrom('scenario_run as run')
    .innerJoin('address', 'address.subject_id', 'run.subject_id')
    .select(['run.id', 'run.node', 'address.address'])
    .where('scenario_id', '=', scenario.id)
    .where('run.state', '=', 'waiting')
  return eventually(async () => {
    const all = await runs.execute()
    const [holders, waiting] = ['in', 'take'].map((node) => all.filter((run) => run.node === node))
    expect([holders!.length, waiting!.length]).toEqual([1, count])
    return { holder: holders![0]!, waiting: waiting! }
  }, patience)
}

/** Who waits gives up waiting, and then the one who has the place gives it up. */
async function expectToLeave({ holder, waiting }: Waiting): Promise<void> {
  for (const leaving of [waiting, [holder]]) {
    await postEvents(
      api,
      leaving.map(({ id, address, node }) => eventOf(address, tapOf(id, '0', node))),
    )
    const ids = leaving.map(({ id }) => id)
    const open = installation.db.selectFrom('scenario_run').select('id').where('id', 'in', ids)
    await eventually(
      async () => expect(await open.where('state', '<>', 'done').execute()).toEqual([]),
      patience,
    )
  }
}

/** Runs at a question, at a timer and in a Lookup, and others that wait for a place, when the store is lost. */
async function loseStore(): Promise<{ walking: WalkingRun[]; places: Waiting }> {
  const { runs } = countsOf('scenarioStoreWiped')
  const walk = walkOf(world, { restSeconds: 10 })
  const places = await waitForPlaces(runs)
  const atQuestion = await beginRuns(installation, walk, runs, 'ask')
  await untilAt(installation, atQuestion, 'ask')
  await world.producer.fault({ delayMs: 4_000, times: runs * 2 })
  const resting = await beginRuns(installation, walk, runs, 'rest')
  await untilAt(installation, resting, 'rest')
  const lookingUp = await beginRuns(installation, walk, runs, 'order')
  await untilLookingUp(installation, lookingUp)
  await temporal.wipe()
  await temporal.start()
  return { walking: [...atQuestion, ...resting, ...lookingUp], places }
}

type Lost = Awaited<ReturnType<typeof loseStore>>
const countOf = ({ walking, places }: Lost) => walking.length + places.waiting.length + 1

/** Whoever is asked answers, and all goes on to its end. */
async function expectToGoOn({ walking, places }: Lost): Promise<void> {
  await expectToLeave(places)
  await untilAt(installation, walking, 'ask')
  await tap(api, walking)
  await untilDone(installation, walking)
  await expectRunInvariants(installation, world)
}

it("after the loss of Temporal's store, runs go on from where their rows are", patient, async () => {
  const lost = await loseStore()
  const begun = performance.now()
  await installation.carillon('reconcile')
  await expectToGoOn(lost)
  const took = secondsOf(performance.now() - begun)
  recordMeasurement('scenarioStoreWiped', `${countOf(lost)} runs; all done ${took} after the loss`)
})

it('without `carillon reconcile`, the reconciler brings them back', patient, async () => {
  const lost = await loseStore()
  const begun = performance.now()
  await expectToGoOn(lost)
  const took = secondsOf(performance.now() - begun)
  recordMeasurement(
    'scenarioStoreWiped',
    `${countOf(lost)} runs without the command; all done ${took} after the loss`,
  )
})
