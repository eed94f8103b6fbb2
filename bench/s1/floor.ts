import { startBareTurn, untilBareWaits } from '../bare/run.ts'
import { endsOf, untilEnded } from '../ended-runs.ts'
import type { BenchInstallation } from '../installation.ts'
import { inParallel } from '../parallel.ts'
import { chatAddressOf } from '../people.ts'
import { type Stopwatch, startStopwatch } from '../stopwatch.ts'
import type { Tap } from './latency.ts'

/**
 * The minimum cost of a durable word after an answer: bare runs that wait, each of which gets a signal and pushes a text
 * by one activity. The lap ends when the last run has taken in that its text was pushed.
 */
export async function measureFloor(installation: BenchInstallation, runs: number): Promise<Stopwatch> {
  const since = new Date()
  const taps = await bareTaps(installation, runs)
  const begun = Date.now()
  const lap = startStopwatch(installation)
  await inParallel('floor: signalling', runs, (n) => taps[n]!.once())
  const batch = { type: 'bareTurn', since, runs, what: 'floor: pushing' }
  await untilEnded(installation, batch)
  const ended = lap(runs)
  return { ...ended, seconds: ((await endsOf(installation, batch)).last - begun) / 1000 }
}

/** Bare runs that wait for their signal. */
export async function bareTaps({ client }: BenchInstallation, runs: number): Promise<Tap[]> {
  const round = Date.now()
  await inParallel('floor: starting', runs, (n) =>
    startBareTurn(client, `${round}-${n}`, chatAddressOf(n + 1)),
  )
  await inParallel('floor: waiting', runs, (n) => untilBareWaits(client, `${round}-${n}`))
  return Array.from({ length: runs }, (_, n) => ({
    address: chatAddressOf(n + 1),
    once: () => client.workflow.getHandle(`bare/${round}-${n}`).signal('called'),
  }))
}
