import { join } from 'node:path'
import { freePort } from '../../dev/ports.ts'
import { startChild, untilReady } from '../../dev/process.ts'
import type { Service } from '../../dev/supervisor.ts'
import type { World } from '../world.ts'
import { postsPerSecond } from './load.ts'

const readyMs = 30_000

/** What the floor takes, by path, and how many of them. */
export type Posts = { path: '/events' | '/messages'; count: number; bodyOf(): object }

/** Posts a second that a bare route with one INSERT takes. */
export async function measureFloor(world: World, { path, count, bodyOf }: Posts): Promise<number> {
  const port = await freePort()
  const server = await world.start(floorServer(world, port))
  const headers = { 'content-type': 'application/json' }
  const rate = await postsPerSecond(
    'floor: inserting',
    { origin: `http://127.0.0.1:${port}`, status: 202, count },
    () => ({ path, headers, body: JSON.stringify(bodyOf()) }),
  )
  await world.stop(server)
  return rate
}

function floorServer({ environment }: World, port: number): Service {
  const { settings, variables } = environment
  const options = {
    name: 'floor-server',
    command: process.execPath,
    args: [join(import.meta.dirname, 'floor-server.ts')],
    env: { ...variables, PORT: String(port) },
    logFile: join(settings.dataDir, 'logs', 'floor-server.log'),
  }
  const probe = async () => void (await (await fetch(`http://127.0.0.1:${port}/readyz`)).text())
  return {
    name: 'floor-server',
    start: () => startChild(options),
    ready: (child) => untilReady(child, probe, readyMs),
    stopSignal: 'SIGTERM',
    graceMs: 10_000,
  }
}
