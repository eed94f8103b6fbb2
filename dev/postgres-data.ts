import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { argumentsOf, processesIn, signalQuietly } from './system-processes.ts'
import { ownFolder, type Runner } from './unprivileged.ts'

/** The superuser of every server started here. */
export const POSTGRES_USER = 'carillon'

export interface DataFolder {
  dataDir: string
  password: string
  /** False only in tests: a crash of the *machine* may then lose data. A killed server never does. */
  durable: boolean
}

/** Creates the data folder if it is missing: under another name, then renames it, so that it is never incomplete. */
export function makeDataFolder(
  { dataDir, password, durable }: DataFolder,
  initdb: string,
  runner: Runner,
): void {
  if (existsSync(dataDir)) return
  const fresh = `${dataDir}.new`
  rmSync(fresh, { recursive: true, force: true })
  mkdirSync(dirname(dataDir), { recursive: true })
  ownFolder(fresh, runner)
  const passwordFile = join(dirname(dataDir), 'postgres-password.new')
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 })
  const [command, ...args] = [
    ...runner.prefix,
    initdb,
    `--pgdata=${fresh}`,
    `--username=${POSTGRES_USER}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    // The same collation on every machine.
    ...['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
    ...(durable ? [] : ['--no-sync']),
  ]
  try {
    execFileSync(command!, args, { stdio: 'pipe', ...runner.as })
  } finally {
    rmSync(passwordFile)
  }
  renameSync(fresh, dataDir)
}

/**
 * Removes leftovers of a killed server: its sessions, whose running statements keep the next server from starting, and
 * its lock file, which Postgres takes for a live server's if another process has its pid.
 */
export async function removeLeftovers(dataDir: string): Promise<void> {
  const lock = join(dataDir, 'postmaster.pid')
  const owner = existsSync(lock) ? Number.parseInt(readFileSync(lock, 'utf8'), 10) : undefined
  if (owner !== undefined && argumentsOf(owner)?.includes(dataDir)) return // alive: Postgres reports it
  for (;;) {
    const sessions = processesIn(realpathSync(dataDir))
    if (sessions.length === 0) break
    for (const pid of sessions) signalQuietly(pid, 'SIGKILL')
    await sleep(20)
  }
  rmSync(lock, { force: true })
}
