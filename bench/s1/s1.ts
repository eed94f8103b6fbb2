import { apiService, simulatorService, workerService } from '../../dev/services.ts'
import { bareWorkerService } from '../bare/service.ts'
import { activate, askPeople, tap } from '../conversation.ts'
import { endsOf, untilEnded } from '../ended-runs.ts'
import { type BenchInstallation, openInstallation } from '../installation.ts'
import { inParallel } from '../parallel.ts'
import { insertPeople } from '../people.ts'
import { followProvider, type ProviderFollower } from '../provider.ts'
import type { Measured } from '../result.ts'
import { alternate, type Round } from '../rounds.ts'
import { type Stopwatch, startStopwatch } from '../stopwatch.ts'
import { bareTaps, measureFloor } from './floor.ts'
import { compareLatency } from './latency.ts'

/** Runs of each side before the first round, so that no process is measured cold. */
const warmUp = 50

/** `pushed`: the turns that were pushed, because the token of the tap was too old for a reply. */
type Ours = Stopwatch & { pushed: number }

/** Measures taps at questions that wait, until each run has taken in that what it says next was said. */
export async function measureS1(people: number): Promise<Measured> {
  const installation = await openInstallation()
  try {
    await insertPeople(installation, Math.max(people, warmUp), false)
    const { environment } = installation
    await installation.start(simulatorService(environment))
    await installation.start(apiService(environment))
    await installation.start(workerService(environment))
    await installation.start(bareWorkerService(installation))
    const provider = followProvider(installation)
    const scenarioId = await activate(installation, Math.max(people, warmUp))
    const ours = answerer(installation, provider, scenarioId)
    await measureFloor(installation, warmUp)
    await ours(warmUp)
    const rounds = await alternate(
      () => measureFloor(installation, people),
      () => ours(people),
    )
    const paced = Math.ceil(people / 2)
    const runs = await askPeople(installation, scenarioId, paced)
    const taps = runs.map((run) => ({ address: run.address, once: () => tap(installation, run) }))
    return {
      rounds,
      beside: await compareLatency(provider, await bareTaps(installation, paced), taps),
      notes: [
        `${people} runs a round that wait at a question, all tapped on the phones as fast as 16 taps at a time are stored`,
        pushedNote(rounds),
      ],
    }
  } finally {
    await installation.close()
  }
}

/** A function that lets so many people be asked and then tap; the lap ends with the last run, which ends by itself. */
function answerer(
  installation: BenchInstallation,
  provider: ProviderFollower,
  scenarioId: string,
): (people: number) => Promise<Ours> {
  return async (people) => {
    const since = new Date()
    const runs = await askPeople(installation, scenarioId, people)
    await provider.skip()
    const begun = Date.now()
    const lap = startStopwatch(installation)
    await inParallel('tapping', people, (n) => tap(installation, runs[n]!))
    const batch = { type: 'scenarioRun', since, runs: people, what: 'answering' }
    await untilEnded(installation, batch)
    const ended = lap(people)
    const turns = await provider.accepts('counting', people)
    const pushed = turns.filter(({ endpoint }) => endpoint === 'push').length
    return { ...ended, seconds: ((await endsOf(installation, batch)).last - begun) / 1000, pushed }
  }
}

function pushedNote(rounds: Round<Stopwatch, Ours>[]): string {
  const counts = rounds.map(({ ours }) => ours.pushed).join(', ')
  return `turns that were pushed, because 50 s had passed since the tap: ${counts}; all others were replies`
}
