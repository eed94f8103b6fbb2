import { freePort } from '../../dev/ports.ts'
import { startChild, waitUntilReady } from '../../dev/process.ts'
import { logFile } from '../../dev/services.ts'
import type { BenchInstallation } from '../installation.ts'

const name = 'floor-server'
const readyMs = 30_000

/** Starts the bare server of a floor as a separate process, like the API; returns its origin. */
export async function startFloorServer(
  { environment, start }: BenchInstallation,
  script: string,
): Promise<string> {
  const { settings, variables } = environment
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const options = {
    ...{ name, command: process.execPath, args: [script], env: { ...variables, PORT: String(port) } },
    logFile: logFile(settings.dataDir, name),
  }
  const probe = async () => void (await (await fetch(origin)).text())
  await start({
    name,
    start: () => startChild(options),
    ready: (child) => waitUntilReady(child, probe, readyMs),
    stopSignal: 'SIGTERM',
    graceMs: 10_000,
  })
  return origin
}
