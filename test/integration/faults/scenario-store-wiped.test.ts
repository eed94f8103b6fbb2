import { afterAll, beforeAll, it } from 'vitest'
import { countsOf, patient } from './counts.ts'
import { tap } from './world/chat-events.ts'
import { type Api, type Installation, startInstallation } from './world/installation.ts'
import { recordMeasurement, secondsOf } from './world/measurements.ts'
import {
  beginRuns,
  expectRunInvariants,
  type ScenarioWorld,
  setUpScenarios,
  takesScenarios,
  untilAt,
  untilDone,
  untilLookingUp,
  type WalkingRun,
  walkOf,
} from './world/scenarios.ts'
import { type OwnTemporal, ownTemporal } from './world/servers.ts'

let temporal: OwnTemporal
let installation: Installation
let world: ScenarioWorld
let api: Api
beforeAll(async () => {
  temporal = await ownTemporal()
  installation = await startInstallation({ temporal })
  world = await setUpScenarios(installation)
  api = await installation.startApi(takesScenarios)
  await installation.startWorker(takesScenarios)
})
afterAll(async () => {
  await installation.close()
  await temporal.stop()
})

/** Runs at a question, at a timer and in a Lookup, when the store is lost. */
async function loseStore(): Promise<WalkingRun[]> {
  const { runs } = countsOf('scenarioStoreWiped')
  const walk = walkOf(world, { restSeconds: 10 })
  const asked = await beginRuns(installation, walk, runs, 'ask')
  await untilAt(installation, asked, 'ask')
  await world.producer.fault({ delayMs: 4_000, times: runs * 2 })
  const resting = await beginRuns(installation, walk, runs, 'rest')
  await untilAt(installation, resting, 'rest')
  const lookingUp = await beginRuns(installation, walk, runs, 'order')
  await untilLookingUp(installation, lookingUp)
  await temporal.wipe()
  await temporal.start()
  return [...asked, ...resting, ...lookingUp]
}

/** Whoever is asked answers, and all goes on to its end. */
async function expectToGoOn(runs: WalkingRun[]): Promise<void> {
  await untilAt(installation, runs, 'ask')
  await tap(api, runs)
  await untilDone(installation, runs)
  await expectRunInvariants(installation, world)
}

it("after the loss of Temporal's store, runs go on from where their rows are", patient, async () => {
  const runs = await loseStore()
  const begun = performance.now()
  await installation.carillon('reconcile')
  await expectToGoOn(runs)
  const took = secondsOf(performance.now() - begun)
  recordMeasurement('scenarioStoreWiped', `${runs.length} runs; all done ${took} after the loss`)
})

it('without `carillon reconcile`, the reconciler brings them back', patient, async () => {
  const runs = await loseStore()
  const begun = performance.now()
  await expectToGoOn(runs)
  const took = secondsOf(performance.now() - begun)
  recordMeasurement(
    'scenarioStoreWiped',
    `${runs.length} runs without the command; all done ${took} after the loss`,
  )
})
