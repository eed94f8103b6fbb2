import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { inject } from 'vitest'
import { type Exit, startChild, stopChild } from '../../dev/process.ts'
import { openProcessRegistry, type ProcessRegistry } from '../../dev/process-registry.ts'
import { eventually } from './eventually.ts'
import './injected.ts'

/** A separate process of the project, which a test can kill or suspend. */
export interface Spawned {
  pid: number
  exited: Promise<Exit>
  /** Its output so far. */
  log(): string
  /** Waits until the log matches. */
  logged(pattern: RegExp): Promise<void>
  /** Sends SIGKILL, SIGSTOP, SIGCONT, … to the process itself, not to a wrapper. */
  signal(signal: NodeJS.Signals): void
  /** SIGTERM, and SIGKILL after 15 s; for afterAll. */
  stop(): Promise<void>
}

const ROOT = resolve(import.meta.dirname, '../..')
const STOP_GRACE_MS = 15_000

/** The folder of the registries of spawned processes, one for each process that spawned some. */
export function spawnedFolder(scratch: string): string {
  return join(scratch, 'spawned')
}

/** Runs `node <args>` in the project's root, with only `env`, PATH and the cache of compiled code as its environment. */
export function spawnProcess(name: string, args: string[], env: Record<string, string>): Promise<Spawned> {
  return spawnCommand(name, process.execPath, args, env)
}

/** Runs another command in the same way. */
export async function spawnCommand(
  name: string,
  command: string,
  args: string[],
  env: Record<string, string> = {},
): Promise<Spawned> {
  const id = `${name}-${randomBytes(4).toString('hex')}`
  const logFile = join(spawnedFolder(inject('scratch')), `${id}.log`)
  const { PATH, NODE_COMPILE_CACHE } = process.env
  const environment = { PATH, NODE_COMPILE_CACHE, NODE_ENV: 'test', ...env }
  const child = await startChild({
    name,
    command,
    args,
    logFile,
    cwd: ROOT,
    env: environment,
  })
  const book = await openRegistry()
  book.add(id, child.pid)
  const log = () => readFileSync(logFile, 'utf8')
  return {
    pid: child.pid,
    exited: child.exited,
    log,
    logged: (pattern) =>
      eventually(() => {
        if (!pattern.test(log())) throw new Error(`${name} has not logged ${pattern}:\n${log()}`)
      }),
    signal: child.signal,
    stop: () => stopChild(child, 'SIGTERM', STOP_GRACE_MS),
  }
}

let opened: Promise<{ book: ProcessRegistry }> | undefined

async function openRegistry(): Promise<ProcessRegistry> {
  opened ??= openProcessRegistry(join(spawnedFolder(inject('scratch')), `by-${process.pid}`))
  return (await opened).book
}
