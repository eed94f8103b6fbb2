import { join } from 'node:path'
import type { Client } from '@temporalio/client'
import { startChild } from '../../dev/process.ts'
import type { Service } from '../../dev/supervisor.ts'
import { inParallel } from '../parallel.ts'
import type { World } from '../world.ts'
import { drain } from './drain.ts'

/** Makes so many bare runs while no worker is there, then drains them. Runs a second. */
export async function measureFloor(world: World, runs: number): Promise<number> {
  const since = new Date()
  await inParallel('floor: starting', runs, (n) => startBare(world.client, `${since.getTime()}-${n}`))
  const worker = await world.start(floorWorker(world))
  const rate = await drain(world.client, { type: 'bare', since, runs, what: 'floor: draining' })
  await world.stop(worker)
  return rate
}

async function startBare(client: Client, id: string): Promise<void> {
  const options = { workflowId: `bare/${id}`, taskQueue: 'bench-floor', signal: 'called', signalArgs: [] }
  await client.workflow.signalWithStart('bare', options)
}

/** Ready at once: what counts begins with the first run that ends. */
function floorWorker({ environment }: World): Service {
  const { settings, variables } = environment
  const script = join(import.meta.dirname, 'floor-worker.ts')
  const logFile = join(settings.dataDir, 'logs', 'floor-worker.log')
  const options = { name: 'floor-worker', command: process.execPath, args: [script], env: variables, logFile }
  return {
    name: 'floor-worker',
    start: () => startChild(options),
    ready: async () => {},
    stopSignal: 'SIGTERM',
    graceMs: 10_000,
  }
}
