import { startBareTurn, untilBareWaits } from '../bare/run.ts'
import type { BenchInstallation } from '../installation.ts'
import { inParallel } from '../parallel.ts'
import { chatAddressOf } from '../people.ts'
import type { ProviderFollower } from '../provider.ts'
import { type Stopwatch, startStopwatch } from '../stopwatch.ts'

/**
 * The minimum cost of a durable word after an answer: bare runs that wait, each of which gets a signal and pushes a text
 * by one activity. The lap ends with the last push that the provider accepts.
 */
export async function measureFloor(
  installation: BenchInstallation,
  provider: ProviderFollower,
  runs: number,
): Promise<Stopwatch> {
  const { client } = installation
  const round = Date.now()
  const handleOf = (n: number) => client.workflow.getHandle(`bare/${round}-${n}`)
  await inParallel('floor: starting', runs, (n) =>
    startBareTurn(client, `${round}-${n}`, chatAddressOf(n + 1)),
  )
  await inParallel('floor: waiting', runs, (n) => untilBareWaits(client, `${round}-${n}`))
  await provider.skip()
  const lap = startStopwatch(installation)
  await inParallel('floor: signalling', runs, (n) => handleOf(n).signal('called'))
  await provider.accepts('floor: pushing', runs)
  return lap(runs)
}
