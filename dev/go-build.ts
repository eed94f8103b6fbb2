import { spawn } from 'node:child_process'
import { renameSync, rmSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { withProgress } from './progress.ts'

/** What is built, and what to do where Go is missing. */
type Built = { what: string; withoutGo: string }

const temporal: Built = {
  what: 'Temporal server',
  withoutGo:
    'No Temporal server is installed, and none can be downloaded or built. Do one of these: put the `temporal` ' +
    'command (1.5 or newer) on PATH; install Go; set TEMPORAL_ADDRESS to the address of a running server.',
}

/**
 * Builds commands from source with Go, such as `github.com/temporalio/cli/cmd/temporal@v1.5.1`, and creates
 * `target` atomically from the folder of what was built: what `picked` names of it, a file or the folder.
 *
 * @throws Error if Go is missing, or with the build's last lines if it fails
 */
export async function buildWithGo(
  packages: readonly string[],
  picked: (built: string) => string,
  target: string,
  built = temporal,
): Promise<void> {
  const folder = `${target}.build` // exclusive: the caller holds the machine's lock
  rmSync(folder, { recursive: true, force: true })
  const counts = { downloaded: 0, compiled: 0 }
  const what = () =>
    `${built.what}: building once (1 to 10 min): ${counts.downloaded} modules, ${counts.compiled} packages`
  try {
    await withProgress(what, async () => {
      for (const one of packages) await goInstall(one, folder, counts, built)
    })
    renameSync(picked(folder), target)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function goInstall(
  what: string,
  folder: string,
  counts: { downloaded: number; compiled: number },
  built: Built,
): Promise<void> {
  const go = spawn('go', ['install', '-v', what], {
    env: { ...process.env, GOBIN: folder },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const interrupt = () => void go.kill('SIGINT')
  process.once('exit', interrupt)
  const ended = new Promise<number | null>((resolve, reject) => {
    go.once('error', () => reject(new Error(built.withoutGo)))
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
  if (code !== 0) throw new Error(`Building the ${built.what} failed:\n${lines.slice(-10).join('\n')}`)
}
