import { type SpawnOptions, spawn } from 'node:child_process'
import { closeSync, mkdirSync, openSync, readFileSync, renameSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** How a process ended; one of the two is null. */
export interface Exit {
  code: number | null
  signal: NodeJS.Signals | null
}

/** A child process whose output goes to a file, so that it never blocks on a pipe. */
export interface Child {
  name: string
  pid: number
  logFile: string
  exited: Promise<Exit>
  signal(signal: NodeJS.Signals): void
}

export interface ChildOptions extends Pick<SpawnOptions, 'cwd' | 'env' | 'uid' | 'gid'> {
  name: string
  command: string
  args: string[]
  logFile: string
}

const LOG_LIMIT_BYTES = 20_000_000

/**
 * Starts a process in a separate process group, so that Ctrl-C in the terminal reaches only the parent, which stops its
 * children in order.
 *
 * @throws Error if the command cannot be run
 */
export async function startChild({ name, command, args, logFile, ...options }: ChildOptions): Promise<Child> {
  const log = openLog(logFile)
  const process = spawn(command, args, { ...options, detached: true, stdio: ['ignore', log, log] })
  closeSync(log)
  const exited = new Promise<Exit>((resolve) => {
    process.once('exit', (code, signal) => resolve({ code, signal }))
  })
  await new Promise<void>((resolve, reject) => {
    process.once('spawn', resolve)
    process.once('error', (error) => reject(new Error(`${name} cannot be started: ${error.message}`)))
  })
  return { name, pid: process.pid!, logFile, exited, signal: (signal) => void process.kill(signal) }
}

function openLog(logFile: string): number {
  mkdirSync(dirname(logFile), { recursive: true })
  const size = statSync(logFile, { throwIfNoEntry: false })?.size ?? 0
  if (size > LOG_LIMIT_BYTES) renameSync(logFile, `${logFile}.1`)
  return openSync(logFile, 'a', 0o600)
}

/** Sends `signal` to a child, and SIGKILL after `graceMs`. */
export async function stopChild(child: Child, signal: NodeJS.Signals, graceMs: number): Promise<void> {
  child.signal(signal)
  const deadline = new AbortController()
  const inTime = await Promise.race([
    child.exited.then(() => true),
    sleep(graceMs, false, { signal: deadline.signal, ref: false }).catch(() => false),
  ])
  deadline.abort()
  if (inTime) return
  child.signal('SIGKILL')
  await child.exited
}

/**
 * Waits until `probe` succeeds: retries it every 50 ms for at most `timeoutMs`, or until the child ends.
 *
 * @throws Error with the log file's path and its last lines
 */
export async function waitUntilReady(
  child: Child,
  probe: () => Promise<unknown>,
  timeoutMs: number,
): Promise<void> {
  let exit: Exit | undefined
  void child.exited.then((how) => (exit = how))
  const deadline = Date.now() + timeoutMs
  for (;;) {
    const error = await probe().then(
      () => null,
      (reason: unknown) => reason,
    )
    if (error === null && !exit) return
    if (exit) throw new Error(`${child.name} ended (${describeExit(exit)}) ${lastWords(child.logFile)}`)
    if (Date.now() > deadline) {
      throw new Error(
        `${child.name} is not ready after ${timeoutMs / 1000} s: ${String(error)} ${lastWords(child.logFile)}`,
      )
    }
    await sleep(50)
  }
}

/** "code 1" or "signal SIGKILL". */
export function describeExit({ code, signal }: Exit): string {
  return signal ? `signal ${signal}` : `code ${code}`
}

function lastWords(logFile: string): string {
  const lines = readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-8)
  return `\n  last lines of ${logFile}:\n${lines.map((line) => `    ${line}`).join('\n')}`
}
