import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { beforeAll, it } from 'vitest'
import { selectRows } from '../../fixtures/rows.ts'
import { forFile } from '../../harness/for-file.ts'
import { countsOf, patient } from './counts.ts'
import { canary } from './world/canaries.ts'
import { tap } from './world/chat-events.ts'
import { startInstallation } from './world/installation.ts'
import { recordMeasurement, secondsOf } from './world/measurements.ts'
import {
  beginRuns,
  daySeconds,
  expectRunInvariants,
  setUpScenarios,
  takesScenarios,
  untilAt,
  untilDone,
  type WalkingRun,
  walkOf,
} from './world/scenarios.ts'
import { forever } from './world/simulator.ts'

/** Kills at a random moment within so long after the start of a worker. */
const killWithinMs = 3_000
const installation = forFile(startInstallation)
const world = forFile(() => setUpScenarios(installation))
const api = forFile(() => installation.startApi(takesScenarios))
beforeAll(async () => {
  await installation.simulator.fault({ delayMs: 100, times: forever })
  const body = JSON.stringify({ order: { id: canary.text } })
  await world.producer.fault({ delayMs: 100, body, times: forever })
})

/** Those that wait at their question and have not been tapped yet. */
async function runsAtQuestion(runs: WalkingRun[], tapped: Set<string>): Promise<WalkingRun[]> {
  const waiting = await selectRows(installation.db, 'scenario_run', { node: 'ask', state: 'waiting' }, ['id'])
  const ids = new Set(waiting.map(({ id }) => id))
  return runs.filter(({ id }) => ids.has(id) && !tapped.has(id))
}

it('a worker that is killed repeatedly says and looks up nothing twice', patient, async () => {
  const { runs: count, kills } = countsOf('scenarioWorkerKilled')
  const runs = await beginRuns(installation, walkOf(world), count)
  const begun = performance.now()
  const tapped = new Set<string>()
  let over = false
  const people = (async () => {
    while (!over) {
      const some = (await runsAtQuestion(runs, tapped)).slice(0, 5)
      if (some.length > 0) await tap(api, some)
      for (const { id } of some) tapped.add(id)
      await sleep(50)
    }
  })()
  let worker = await installation.startWorker(takesScenarios)
  for (let kill = 0; kill < kills; kill++) {
    await sleep(Math.random() * killWithinMs)
    worker.signal('SIGKILL')
    await worker.exited
    worker = await installation.startWorker(takesScenarios)
  }
  await untilDone(installation, runs)
  over = true
  await people
  await worker.stop()
  await expectRunInvariants(installation, world)
  const took = secondsOf(performance.now() - begun)
  recordMeasurement('scenarioWorkerKilled', `${kills} kills over ${count} runs; all done after ${took}`)
})

it('who taps while the worker is dead is heard, though the time has passed since', patient, async () => {
  const { runs: count } = countsOf('scenarioDeadlines')
  const worker = await installation.startWorker(takesScenarios)
  const runs = await beginRuns(installation, walkOf(world), count, 'ask')
  await untilAt(installation, runs, 'ask')
  worker.signal('SIGKILL')
  await worker.exited
  const answering = runs.filter((_, n) => n % 4 < 2)
  for (const run of runs) if (!answering.includes(run)) run.answer = null
  await tap(api, answering.toReversed())
  await tap(api, answering) // once more
  // What was stored until now was in time.
  await sql`
    with ended as (
      update scenario_run set deadline = clock_timestamp(), next_wakeup_at = clock_timestamp()
      where id = any(${runs.map(({ id }) => id)}::uuid[]) returning id, deadline
    )
    update turn set closed_at = deadline - make_interval(secs => ${daySeconds}::float8)
    from ended where run_id = ended.id`.execute(installation.db)
  const begun = performance.now()
  const next = await installation.startWorker(takesScenarios)
  await untilDone(installation, runs)
  await next.stop()
  await expectRunInvariants(installation, world)
  const took = secondsOf(performance.now() - begun)
  recordMeasurement('scenarioDeadlines', `${count} runs; all done ${took} after the start of the worker`)
})
