import { join } from 'node:path'
import { type Child, startChild, waitUntilReady } from '../../dev/process.ts'
import { logFile } from '../../dev/services.ts'
import type { Service } from '../../dev/supervisor.ts'
import { bareQueue, bareType, startBare } from '../bare-run.ts'
import type { BenchInstallation } from '../installation.ts'
import { inParallel } from '../parallel.ts'
import type { Stopwatch } from '../stopwatch.ts'
import { drain } from './drain.ts'

const name = 'floor-worker'
const readyMs = 60_000

/** Starts bare runs while no worker is running, then drains them. */
export async function measureFloor(installation: BenchInstallation, runs: number): Promise<Stopwatch> {
  const since = new Date()
  await inParallel('floor: starting', runs, (n) => startBare(installation.client, `${since.getTime()}-${n}`))
  return drain(
    installation,
    { type: bareType, since, runs, what: 'floor: draining' },
    floorWorker(installation),
  )
}

function floorWorker(installation: BenchInstallation): Service {
  const { settings, variables } = installation.environment
  const options = {
    ...{ name, command: process.execPath, args: [join(import.meta.dirname, 'floor-worker.ts')] },
    ...{ env: variables, logFile: logFile(settings.dataDir, name) },
  }
  return {
    name,
    start: () => startChild(options),
    ready: (child) => waitUntilReady(child, () => polls(installation, child), readyMs),
    stopSignal: 'SIGTERM',
    graceMs: 10_000,
  }
}

async function polls({ client }: BenchInstallation, { pid }: Child): Promise<void> {
  const { pollers } = await client.workflowService.describeTaskQueue({
    namespace: client.options.namespace,
    taskQueue: { name: bareQueue },
    taskQueueType: 1, // workflow tasks
  })
  if (!pollers?.some(({ identity }) => identity?.startsWith(`${pid}@`)))
    throw new Error('it does not poll yet')
}
