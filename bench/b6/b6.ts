import { apiService, simulatorService, workerService } from '../../dev/services.ts'
import { startBareTurn, untilBareWaits } from '../bare/run.ts'
import { bareWorkerService } from '../bare/service.ts'
import { type BenchInstallation, openInstallation } from '../installation.ts'
import { approve, send, shortMessage, submit } from '../message.ts'
import { chatCategory } from '../names.ts'
import { inParallel } from '../parallel.ts'
import { chatAddressOf, insertPeople, uidOf } from '../people.ts'
import { percentile } from '../percentile.ts'
import { progress } from '../progress.ts'
import { type ProviderWatch, watchProvider } from '../provider.ts'
import type { Baseline, Measured } from '../result.ts'
import { alternate } from '../rounds.ts'
import { type Stopwatch, startStopwatch } from '../stopwatch.ts'

/** How much later a message may arrive beside a wave than alone. */
const besideAtMost = { p50: 2.5, p99: 3 }
/** People of the wave for each message that is approved beside it. */
const crowdEach = 2_000
const warmUp = 5

/** One thing to do about this person, after which the provider has a message for them. */
type Act = { nth: number; once(): Promise<void> }

/**
 * Measures from the approval of a message to one person until the provider has its request, one message after the other:
 * alone, where the floor is a run that waits for its signal and makes one request, and beside a wave. The seconds of a lap
 * are the median of a message.
 */
export async function measureB6(messages: number): Promise<Measured> {
  const installation = await openInstallation()
  try {
    const crowd = messages * crowdEach
    await insertPeople(installation, crowd, false)
    const { environment } = installation
    const variables = { ...environment.variables, RATE_LIMIT_PER_MINUTE: '0', RATE_LIMIT_PER_SECOND: '0' }
    await installation.start(simulatorService(environment))
    await installation.start(apiService({ ...environment, variables }))
    await installation.start(workerService(environment))
    await installation.start(bareWorkerService(installation))
    const provider = watchProvider(installation)
    const alone: number[] = []
    const lap = oneByOne(installation, provider)
    await lap('warming up', await approvals(installation, warmUp))
    const rounds = await alternate(
      async () => lap('floor', await signals(installation, messages)),
      async () => lap('alone', await approvals(installation, messages), alone),
    )
    const beside = await besideWaves(installation, provider, { messages, crowd })
    return {
      rounds,
      beside: figuresOf(alone, beside),
      notes: [
        `${messages} messages a round, the next one approved once the provider had the last`,
        `beside waves to ${crowd.toLocaleString('en')} people, one after the other`,
      ],
    }
  } finally {
    await installation.close()
  }
}

/** A function that does one act after the other, and measures each. */
function oneByOne(installation: BenchInstallation, provider: ProviderWatch) {
  return async (what: string, acts: Act[], took: number[] = []): Promise<Stopwatch> => {
    const lap = startStopwatch(installation)
    const own: number[] = []
    const bar = progress(what, acts.length)
    for (const [done, act] of acts.entries()) {
      own.push(await secondsOf(provider, act))
      bar.to(done + 1)
    }
    bar.end()
    took.push(...own)
    return { ...lap(acts.length), seconds: percentile(own, 0.5) }
  }
}

async function secondsOf(provider: ProviderWatch, { nth, once }: Act): Promise<number> {
  const begun = performance.now()
  await provider.reaches(chatAddressOf(nth), once)
  return (performance.now() - begun) / 1_000
}

/** Bare runs that wait for their signal, one for each of so many people. */
async function signals({ client }: BenchInstallation, count: number): Promise<Act[]> {
  const round = Date.now()
  await inParallel('floor: starting', count, (n) =>
    startBareTurn(client, `${round}-${n}`, chatAddressOf(n + 1)),
  )
  await inParallel('floor: waiting', count, (n) => untilBareWaits(client, `${round}-${n}`))
  return Array.from({ length: count }, (_, n) => ({
    nth: n + 1,
    once: () => client.workflow.getHandle(`bare/${round}-${n}`).signal('called'),
  }))
}

/** Submitted messages, one to each of so many people. */
async function approvals(installation: BenchInstallation, count: number): Promise<Act[]> {
  const acts: Act[] = []
  await inParallel('submitting', count, async (n) => {
    const audience = { kind: 'individual' as const, uids: [uidOf(n + 1)] }
    const id = await submit(installation, shortMessage(chatCategory, audience))
    acts.push({ nth: n + 1, once: () => approve(installation, id) })
  })
  return acts
}

/** Approves messages while waves are sent to everybody, one after the other; a message that outlasts its wave is not counted. */
async function besideWaves(
  installation: BenchInstallation,
  provider: ProviderWatch,
  { messages, crowd }: { messages: number; crowd: number },
): Promise<number[]> {
  const took: number[] = []
  const left = await approvals(installation, messages * 2)
  while (took.length < messages && left.length > 0) {
    let sending = true
    const id = await submit(installation, shortMessage(chatCategory, { kind: 'all' }))
    const sent = send(installation, id, crowd).finally(() => {
      sending = false
    })
    while (sending && took.length < messages) {
      const act = left.pop()
      if (!act) break
      const seconds = await secondsOf(provider, act)
      if (sending) took.push(seconds)
    }
    await sent
  }
  return took
}

function figuresOf(alone: number[], beside: number[]): Baseline[] {
  return ([0.5, 0.99] as const).flatMap((share) => {
    const named = share === 0.5 ? 'p50' : 'p99'
    const [before, after] = [percentile(alone, share), percentile(beside, share)]
    return [
      { what: `${named}, alone`, figure: before * 1_000, unit: 'ms' },
      { what: `${named}, beside a wave`, figure: after * 1_000, unit: 'ms' },
      { what: `${named}, ratio`, figure: after / before, unit: '×', atMost: besideAtMost[named] },
    ]
  })
}
