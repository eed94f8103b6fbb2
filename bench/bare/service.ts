import { join } from 'node:path'
import { type Child, startChild, waitUntilReady } from '../../dev/process.ts'
import { logFile } from '../../dev/services.ts'
import type { Service } from '../../dev/supervisor.ts'
import type { BenchInstallation } from '../installation.ts'
import { bareQueue } from './run.ts'

const name = 'floor-worker'
const readyMs = 60_000

/** The worker of the bare workflows; ready once it polls Temporal. */
export function bareWorkerService(installation: BenchInstallation): Service {
  const { settings, variables } = installation.environment
  const options = {
    ...{ name, command: process.execPath, args: [join(import.meta.dirname, 'worker.ts')] },
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
