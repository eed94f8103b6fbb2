import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { cacheFolder } from '../../dev/cache.ts'
import { withMachineLock } from '../../dev/machine-lock.ts'

/** The commands of Prometheus. */
export type PrometheusTools = { prometheus: string; promtool: string }

const run = promisify(execFile)

/**
 * Prometheus and its promtool: those on PATH, or those of Debian's package, which is unpacked into the cache folder once
 * per machine and not installed. Undefined where neither is to be had: tests that need it are then skipped.
 */
export async function findPrometheus(): Promise<PrometheusTools | undefined> {
  const onPath = { prometheus: 'prometheus', promtool: 'promtool' }
  if (await isInstalled(onPath)) return onPath
  const folder = join(cacheFolder(), 'prometheus')
  const unpacked = {
    prometheus: join(folder, 'usr/bin/prometheus'),
    promtool: join(folder, 'usr/bin/promtool'),
  }
  if (existsSync(folder)) return unpacked
  return withMachineLock(`${folder}.lock`, async () =>
    existsSync(folder) || (await unpackPackage(folder)) ? unpacked : undefined,
  )
}

async function isInstalled(tools: PrometheusTools): Promise<boolean> {
  const answers = Object.values(tools).map((command) => run(command, ['--version']))
  return Promise.all(answers).then(
    () => true,
    () => false,
  )
}

/** Creates `folder` with the files of the package, all at once. Returns whether it could. */
async function unpackPackage(folder: string): Promise<boolean> {
  const work = `${folder}.work`
  rmSync(work, { recursive: true, force: true })
  mkdirSync(work, { recursive: true })
  const download = () => run('apt-get', ['download', 'prometheus'], { cwd: work })
  try {
    // A machine that has never asked for Debian's list of packages does not know where this one is.
    await download().catch(() => run('apt-get', ['update']).then(download))
    const file = readdirSync(work).find((name) => name.endsWith('.deb'))!
    await run('dpkg-deb', ['--extract', file, 'files'], { cwd: work })
    renameSync(join(work, 'files'), folder)
    return true
  } catch {
    return false
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}
