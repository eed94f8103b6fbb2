import { setTimeout as sleep } from 'node:timers/promises'
import type { Service } from '../../dev/supervisor.ts'
import type { BenchInstallation } from '../installation.ts'
import { progress } from '../progress.ts'
import { type Stopwatch, startStopwatch } from '../stopwatch.ts'

const lookEveryMs = 500
const timeoutMs = 10 * 60_000

type Backlog = { type: string; since: Date; runs: number; what: string }

/**
 * Starts a worker and waits until all runs of a type have completed. Measures the seconds from the first run's end to
 * the last one's, which exclude the start of the worker and the polling here.
 */
export async function drain(
  installation: BenchInstallation,
  backlog: Backlog,
  service: Service,
): Promise<Stopwatch> {
  const { type, since, runs, what } = backlog
  const { workflow } = installation.client
  const query = `WorkflowType = '${type}' and ExecutionStatus = 'Completed' and StartTime >= '${since.toISOString()}'`
  const worker = await installation.start(service)
  const lap = startStopwatch(installation)
  const shown = progress(what, runs)
  const deadline = Date.now() + timeoutMs
  for (let done = 0; done < runs; ) {
    if (Date.now() > deadline) throw new Error(`${what}: ${done} of ${runs} runs completed within 10 min.`)
    await sleep(lookEveryMs)
    done = (await workflow.count(query)).count
    shown.to(done)
  }
  const ended = lap(runs - 1)
  shown.end()
  await installation.stop(worker)
  const ends: number[] = []
  for await (const { closeTime } of workflow.list({ query })) ends.push(closeTime!.getTime())
  return { ...ended, seconds: (Math.max(...ends) - Math.min(...ends)) / 1000 }
}
