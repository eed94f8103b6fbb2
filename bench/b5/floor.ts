import { bareType, startBare } from '../bare/run.ts'
import { bareWorkerService } from '../bare/service.ts'
import type { BenchInstallation } from '../installation.ts'
import { inParallel } from '../parallel.ts'
import type { Stopwatch } from '../stopwatch.ts'
import { drain } from './drain.ts'

/** Starts bare runs while no worker is running, then drains them. */
export async function measureFloor(installation: BenchInstallation, runs: number): Promise<Stopwatch> {
  const since = new Date()
  await inParallel('floor: starting', runs, (n) => startBare(installation.client, `${since.getTime()}-${n}`))
  return drain(
    installation,
    { type: bareType, since, runs, what: 'floor: draining' },
    bareWorkerService(installation),
  )
}
