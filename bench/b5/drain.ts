import type { Service } from '../../dev/supervisor.ts'
import { type Batch, endsOf, untilEnded } from '../ended-runs.ts'
import type { BenchInstallation } from '../installation.ts'
import { type Stopwatch, startStopwatch } from '../stopwatch.ts'

/**
 * Starts a worker and waits until all runs of a backlog have completed. Measures the seconds from the first run's end to
 * the last one's, which exclude the start of the worker and the polling here.
 */
export async function drain(
  installation: BenchInstallation,
  backlog: Batch,
  service: Service,
): Promise<Stopwatch> {
  const worker = await installation.start(service)
  const lap = startStopwatch(installation)
  await untilEnded(installation, backlog)
  const ended = lap(backlog.runs - 1)
  await installation.stop(worker)
  const { first, last } = await endsOf(installation, backlog)
  return { ...ended, seconds: (last - first) / 1000 }
}
