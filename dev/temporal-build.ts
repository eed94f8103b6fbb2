import { spawn } from 'node:child_process'
import { renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { withProgress } from './progress.ts'

const WITHOUT_GO =
  'No Temporal server is installed, and none can be downloaded or built. Do one of these: put the `temporal` ' +
  'command (1.5 or newer) on PATH; install Go; set TEMPORAL_ADDRESS to the address of a running server.'

/**
 * Builds the `temporal` command from source with Go, and creates `target` atomically.
 *
 * @throws Error if Go is missing, or with the build's last lines if it fails
 */
export async function buildTemporal(version: string, target: string): Promise<void> {
  const folder = `${target}.build` // exclusive: the caller holds the machine's lock
  rmSync(folder, { recursive: true, force: true })
  const counts = { downloaded: 0, compiled: 0 }
  const what = () =>
    `Temporal server: building once (3 to 10 min): ${counts.downloaded} modules, ${counts.compiled} packages`
  try {
    await withProgress(what, () => goInstall(version, folder, counts))
    renameSync(join(folder, 'temporal'), target)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function goInstall(
  version: string,
  folder: string,
  counts: { downloaded: number; compiled: number },
): Promise<void> {
  const go = spawn('go', ['install', '-v', `github.com/temporalio/cli/cmd/temporal@${version}`], {
    env: { ...process.env, GOBIN: folder },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const interrupt = () => void go.kill('SIGINT')
  process.once('exit', interrupt)
  const ended = new Promise<number | null>((resolve, reject) => {
    go.once('error', () => reject(new Error(WITHOUT_GO)))
    go.once('close', resolve)
  })
  const lines: string[] = []
  createInterface(go.stderr).on('line', (line) => {
    if (line.startsWith('go: downloading')) counts.downloaded += 1
    else counts.compiled += 1
    lines.push(line)
  })
  const code = await ended
  process.off('exit', interrupt)
  if (code !== 0) throw new Error(`Building the Temporal server failed:\n${lines.slice(-10).join('\n')}`)
}
