import { afterAll, beforeAll, it } from 'vitest'
import { countsOf, patient } from './counts.ts'
import { type Api, type Installation, startInstallation } from './world/installation.ts'
import { recordMeasurement, secondsOf } from './world/measurements.ts'
import {
  beginRuns,
  expectRunInvariants,
  type ScenarioWorld,
  setUpScenarios,
  takesScenarios,
  tap,
  untilAt,
  untilDone,
  untilLookingUp,
  walkOf,
} from './world/scenarios.ts'
import { type OwnTemporal, ownTemporal } from './world/servers.ts'

const daySeconds = 86_400

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
  await world.producer.close()
  await temporal.stop()
})

it("after the loss of Temporal's store, runs go on from where their rows are", patient, async () => {
  const { runs } = countsOf('scenarioStoreWiped')
  const walk = walkOf(world, daySeconds)
  const asked = await beginRuns(installation, walk, runs, 'ask')
  await untilAt(installation, asked, 'ask')
  const resting = await beginRuns(installation, walk, runs, 'rest')
  await world.producer.fault({ delayMs: 3_000, times: runs * 2 })
  const lookingUp = await beginRuns(installation, walk, runs, 'order')
  await untilLookingUp(installation, lookingUp)
  await temporal.wipe()
  await temporal.start()
  const begun = performance.now()
  await installation.carillon('reconcile')
  const all = [...asked, ...resting, ...lookingUp]
  await untilAt(installation, all, 'ask')
  await tap(api, all)
  await untilDone(installation, all)
  await expectRunInvariants(installation, world)
  const took = secondsOf(performance.now() - begun)
  recordMeasurement('scenarioStoreWiped', `${all.length} runs; all done ${took} after the loss`)
})
