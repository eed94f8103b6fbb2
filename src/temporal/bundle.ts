import { execFile } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import type { WorkflowBundle } from '@temporalio/worker'

const src = resolve(import.meta.dirname, '..')
/** All that workflows may import. */
const folders = ['workflows', 'domain', 'contract']
/**
 * Where the bundle is cached, beside its packages. The image contains it (Dockerfile); a process that may not write
 * here makes the bundle at every start.
 */
const cache = resolve(src, '../node_modules/.cache/carillon')
/** The child's output limit; the script is about 2 MB. */
const mostBytes = 64 * 1024 * 1024

/** The code of all workflows as one script. `release`: the same for workers whose workflows are the same. */
export type ReleasedBundle = WorkflowBundle & { release: string }

/**
 * The workflows, for every worker of the process. A child process makes it, because the
 * compiler needs more memory than the rest of the worker. Cached on disk.
 */
export async function bundleWorkflows(): Promise<ReleasedBundle> {
  const release = await releaseOf()
  const file = join(cache, `workflows-${release}.js`)
  const kept = await readFile(file, 'utf8').catch(() => undefined)
  if (kept !== undefined) return { code: kept, release }
  const code = await make()
  await writeCache(file, code).catch(() => {})
  return { code, release }
}

/** A hash of every source that may be in the script and of the versions that make it. */
async function releaseOf(): Promise<string> {
  const hash = createHash('sha256')
  const { version } = createRequire(import.meta.url)('@temporalio/worker/package.json') as { version: string }
  hash.update(`${version} ${process.version}`)
  for (const folder of folders) {
    const names = await readdir(join(src, folder), { recursive: true })
    for (const name of names.filter((one) => one.endsWith('.ts')).sort())
      hash.update(`\0${folder}/${name}\0`).update(await readFile(join(src, folder, name)))
  }
  return hash.digest('hex').slice(0, 16)
}

async function make(): Promise<string> {
  const script = join(import.meta.dirname, 'make-bundle.ts')
  const { stdout } = await promisify(execFile)(process.execPath, [script], { maxBuffer: mostBytes })
  return stdout
}

/** Writes atomically: several processes may start at once. */
async function writeCache(file: string, code: string): Promise<void> {
  const half = `${file}.${randomUUID()}`
  await mkdir(cache, { recursive: true })
  await writeFile(half, code)
  await rename(half, file)
}

/** `node src/temporal/bundle.ts` makes the bundle ahead of time. */
if (import.meta.main) await bundleWorkflows()
