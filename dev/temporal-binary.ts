import { execFile } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { cacheFolder } from './cache.ts'
import { buildWithGo } from './go-build.ts'
import { withMachineLock } from './machine-lock.ts'
import { withProgress } from './progress.ts'

/** The version of the `temporal` command to download or build: server 1.29.1 with UI 2.42.1. */
export const TEMPORAL_VERSION = 'v1.5.1'

/** Fairness between units requires a matching service that supports it. */
const OLDEST_SERVER = [1, 29]

const REACH_TIMEOUT_MS = 3_000
const DOWNLOAD_TIMEOUT_MS = 180_000

/**
 * The path of a `temporal` command that can run a development server. Uses the first of these: the one on PATH, the one
 * in the cache folder, a download by the SDK, a build from source if Go is installed (minutes, once per machine).
 *
 * @throws Error with the alternatives, if none of these works
 */
export async function temporalBinary(): Promise<string> {
  if (await isRecentEnough('temporal')) return 'temporal'
  const folder = cacheFolder()
  // The SDK's file name for a download of this version, so that the SDK finds it.
  const cached = join(folder, `temporal-${TEMPORAL_VERSION}`)
  if (existsSync(cached)) return cached
  mkdirSync(folder, { recursive: true })
  return withMachineLock(join(folder, 'temporal.lock'), async () => {
    if (existsSync(cached)) return cached
    if (!(await download(folder))) await build(cached)
    return cached
  })
}

async function isRecentEnough(command: string): Promise<boolean> {
  const answer = await promisify(execFile)(command, ['--version']).catch(() => null)
  const server = /Server (\d+)\.(\d+)/.exec(answer?.stdout ?? '')
  if (!server) return false
  const [major, minor] = [Number(server[1]), Number(server[2])]
  return major > OLDEST_SERVER[0]! || (major === OLDEST_SERVER[0] && minor >= OLDEST_SERVER[1]!)
}

function build(target: string): Promise<void> {
  const command = `github.com/temporalio/cli/cmd/temporal@${TEMPORAL_VERSION}`
  return buildWithGo([command], (built) => join(built, 'temporal'), target)
}

/** Returns whether the download succeeded. A machine without internet access waits at most three seconds. */
async function download(folder: string): Promise<boolean> {
  const signal = AbortSignal.timeout(REACH_TIMEOUT_MS)
  const reachable = await fetch('https://temporal.download', {
    method: 'HEAD',
    redirect: 'manual',
    signal,
  }).then(
    () => true,
    () => false,
  )
  if (!reachable) return false
  return withProgress(
    () => 'Temporal server: downloading',
    () => Promise.race([downloadBySdk(folder), tooLate()]),
  )
}

/** The SDK downloads only when it starts a server. Imported lazily: it loads slowly and is seldom needed. */
async function downloadBySdk(folder: string): Promise<boolean> {
  const { TestWorkflowEnvironment } = await import('@temporalio/testing')
  const executable = { type: 'cached-download', version: TEMPORAL_VERSION, downloadDir: folder } as const
  try {
    const environment = await TestWorkflowEnvironment.createLocal({ server: { executable } })
    await environment.teardown()
    return true
  } catch {
    return false
  }
}

function tooLate(): Promise<boolean> {
  return new Promise((resolve) => setTimeout(resolve, DOWNLOAD_TIMEOUT_MS, false).unref())
}
