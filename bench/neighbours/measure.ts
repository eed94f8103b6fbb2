import { setTimeout as sleep } from 'node:timers/promises'
import { registerThisMachine } from '../../dev/lookup-endpoint.ts'
import { apiService, simulatorService, workerService } from '../../dev/services.ts'
import { untilRunsAre } from '../conversation.ts'
import { type BenchInstallation, openInstallation } from '../installation.ts'
import { insertPeople } from '../people.ts'
import { percentile } from '../percentile.ts'
import { progress } from '../progress.ts'
import type { Baseline, Measured } from '../result.ts'
import { alternate, rounds } from '../rounds.ts'
import { type Stopwatch, startStopwatch } from '../stopwatch.ts'
import { type Load, loads } from './loads.ts'
import { type Probe, prepareProbes } from './probes.ts'

/** How much slower something may be beside another unit. */
export const slowerAtMost = 3
const warmUp = 3
const lookEveryMs = 200

/** Seconds that each probe took, by what it is. */
type Took = Map<string, number[]>

/**
 * Measures what one person waits for, one thing after the other: alone, and beside what another unit does. The seconds of a
 * lap are the median of a message.
 */
export const measureBeside =
  (bench: keyof typeof loads) =>
  async (probesEach: number): Promise<Measured> => {
    const installation = await openInstallation()
    try {
      const { prepare, people } = loads[bench]
      const probing = warmUp + 2 * rounds * probesEach
      const crowd = { first: probing + 1, people: people * probesEach }
      await insertPeople(installation, probing + crowd.people, false)
      await startServers(installation)
      const probes = await prepareProbes(installation, probing)
      const others: Load[] = []
      for (const one of prepare) others.push(await one(installation, crowd))
      const lapOf = prober(installation, probes)
      await lapOf(warmUp, [], new Map())
      const alone: Took = new Map()
      const beside: Took = new Map()
      const measured = await alternate(
        () => lapOf(probesEach, [], alone),
        () => lapOf(probesEach, others, beside),
      )
      return {
        rounds: measured,
        beside: probes.flatMap(({ what }) => figuresOf(what, alone.get(what)!, beside.get(what)!)),
        notes: [
          `${probesEach} of each a round, the next one once the last was answered`,
          `the other unit: ${others.map(({ what }) => what).join(', and ')}, over and over`,
        ],
      }
    } finally {
      await installation.close()
    }
  }

async function startServers({ db, environment, start }: BenchInstallation): Promise<void> {
  await registerThisMachine(db)
  const variables = { ...environment.variables, RATE_LIMIT_PER_MINUTE: '0', RATE_LIMIT_PER_SECOND: '0' }
  await start(simulatorService(environment))
  await start(apiService({ ...environment, variables }))
  await start(workerService(environment))
}

/** A function that does every probe `count` times, each time for another person, beside these loads. */
function prober(installation: BenchInstallation, probes: Probe[]) {
  let people = 0
  return async (count: number, beside: Load[], all: Took): Promise<Stopwatch> => {
    const first = people + 1
    people += count
    for (const { begin } of probes) await begin?.(first, count)
    const stop = keepUp(beside)
    const lap = startStopwatch(installation)
    const messages: number[] = []
    const bar = progress(beside.length === 0 ? 'alone' : 'beside the other unit', count)
    for (let n = 0; n < count; n += 1) {
      for (const { what, once } of probes) {
        const begun = performance.now()
        await once(first + n)
        const seconds = (performance.now() - begun) / 1_000
        all.set(what, [...(all.get(what) ?? []), seconds])
        if (what === 'message') messages.push(seconds)
      }
      bar.to(n + 1)
    }
    bar.end()
    const ended = { ...lap(count), seconds: percentile(messages, 0.5) }
    await stop()
    await untilRunsAre(installation, 'done', 0)
    return ended
  }
}

/** Does each load over and over, once it is worked off; returns what ends that, and waits until nothing of it is left. */
function keepUp(others: Load[]): () => Promise<void> {
  let going = true
  let stopped: unknown
  const lanes = others.map(async ({ burst, busy, end }) => {
    try {
      while (going) {
        await burst()
        while (going && (await busy())) await sleep(lookEveryMs)
      }
      await end?.()
      while (await busy()) await sleep(lookEveryMs)
    } catch (error) {
      stopped ??= error
    }
  })
  return async () => {
    going = false
    await Promise.all(lanes)
    if (stopped !== undefined) throw stopped
  }
}

function figuresOf(what: string, alone: number[], beside: number[]): Baseline[] {
  return [0.5, 0.99].flatMap((share) => {
    const [before, after] = [percentile(alone, share), percentile(beside, share)]
    const named = `${what}, p${share * 100}`
    return [
      { what: `${named}, alone`, figure: before * 1_000, unit: 'ms' },
      { what: `${named}, beside`, figure: after * 1_000, unit: 'ms' },
      { what: `${named}, ratio`, figure: after / before, unit: '×', atMost: slowerAtMost },
    ]
  })
}
