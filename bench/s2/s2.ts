import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { apiService, simulatorService, workerService } from '../../dev/services.ts'
import { makeRunsDue } from '../../src/db/queries/run/reconcile.ts'
import { runKinds } from '../../src/domain/run/run-kinds.ts'
import { activate, askPeople } from '../conversation.ts'
import { type BenchInstallation, openInstallation } from '../installation.ts'
import { insertPeople } from '../people.ts'
import { progress } from '../progress.ts'
import type { Measured } from '../result.ts'
import { alternate } from '../rounds.ts'
import { type Stopwatch, startStopwatch } from '../stopwatch.ts'
import { measureRest } from './at-rest.ts'
import { measureFloor } from './floor.ts'

/** Until all runs are back. */
const minutesAtMost = 6
const lookEveryMs = 200
const listedMs = 30_000
const timeoutMs = 30 * 60_000

/** Measures runs that wait at a question: what they take at rest, and until they are back in an empty store. */
export async function measureS2(runs: number): Promise<Measured> {
  const installation = await openInstallation()
  try {
    await insertPeople(installation, runs, false)
    const { environment } = installation
    await installation.start(simulatorService(environment))
    await installation.start(apiService(environment))
    await installation.start(workerService(environment))
    const before = await measureRest(installation, 'without runs')
    await askPeople(installation, await activate(installation, runs), runs)
    const holding = await measureRest(installation, 'with the runs')
    const rounds = await alternate(
      () => measureFloor(installation, runs),
      () => measureOurs(installation, runs),
    )
    const slowest = Math.max(...rounds.map(({ ours }) => ours.seconds))
    return {
      rounds,
      beside: [
        {
          what: 'until all runs are back, at most',
          figure: slowest / 60,
          unit: 'min',
          atMost: minutesAtMost,
        },
        ...holding,
        ...before,
      ],
      notes: [`${runs} runs that wait at a question; each round loses Temporal's store`],
    }
  } finally {
    await installation.close()
  }
}

/** Does what `carillon reconcile` does after the loss of the store; ends when every run has read its row and waits. */
async function measureOurs(installation: BenchInstallation, runs: number): Promise<Stopwatch> {
  const { db, emptyTemporal } = installation
  await emptyTemporal()
  const lap = startStopwatch(installation)
  const bar = progress('coming back', runs)
  const deadline = Date.now() + timeoutMs
  await makeRunsDue(db)
  for (;;) {
    const away = await runsAway(installation)
    bar.to(runs - away)
    if (away === 0) break
    if (Date.now() > deadline) throw new Error(`${away} of ${runs} runs are not back after 30 min.`)
    await sleep(lookEveryMs)
  }
  const ended = lap(runs)
  bar.end()
  await assertRunning(installation, runs)
  return ended
}

/** A run that is back has noted when it acts next: at the deadline of its question. */
async function runsAway({ db }: BenchInstallation): Promise<number> {
  const { rows } = await sql<{ away: number }>`
    select count(*)::int as away from scenario_run where next_wakeup_at < now()`.execute(db)
  return rows[0]!.away
}

/** Temporal's list of runs lags, so it is read again for 30 s. */
async function assertRunning({ client }: BenchInstallation, runs: number): Promise<void> {
  const query = `WorkflowType = '${runKinds.scenario.workflowType}' and ExecutionStatus = 'Running'`
  const deadline = Date.now() + listedMs
  for (;;) {
    const { count } = await client.workflow.count(query)
    if (count === runs) return
    if (Date.now() > deadline) throw new Error(`${count} of ${runs} runs are open in Temporal.`)
    await sleep(lookEveryMs)
  }
}
