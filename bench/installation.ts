import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Client, Connection } from '@temporalio/client'
import { sql } from 'kysely'
import pg from 'pg'
import { type Environment, environmentOf } from '../dev/environment.ts'
import { freePort } from '../dev/ports.ts'
import { type Child, stopChild } from '../dev/process.ts'
import { openProcessRegistry } from '../dev/process-registry.ts'
import { loadSecrets } from '../dev/secrets.ts'
import {
  postgresNamed,
  postgresService,
  temporalOnPostgresService,
  temporalService,
} from '../dev/services.ts'
import type { Service } from '../dev/supervisor.ts'
import { temporalBinary } from '../dev/temporal-binary.ts'
import { temporalDatabases, temporalServerBinaries } from '../dev/temporal-server.ts'
import { connect, type Db } from '../src/db/connect.ts'
import { migrateToLatest } from '../src/db/migrate.ts'
import { type Credentials, setUpUnit } from './set-up.ts'

/** An installation for one bench: the servers of `npm start`, in a separate folder and on free ports. */
export interface BenchInstallation {
  environment: Environment
  credentials: Credentials
  client: Client
  db: Db
  /** Runs `work` on a separate connection, without the service's statement timeout. */
  plainly<T>(databaseUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T>
  start(service: Service): Promise<Child>
  stop(child: Child): Promise<void>
  /** Loses Temporal's store: all runs and search attributes; resolves when the empty server answers. */
  emptyTemporal(): Promise<void>
  /** The running processes. */
  services(): { name: string; pid: number }[]
  close(): Promise<void>
}

const dataDir = resolve(import.meta.dirname, '../.data/bench')

/** Where Temporal keeps its runs, in all benches of this process. */
export const temporalStore = process.env.TEMPORAL_STORE === 'postgres' ? 'postgres' : 'sqlite'

/** Starts Postgres (durable) and Temporal, migrates the schema, and creates the unit with its credentials. */
export async function openInstallation(): Promise<BenchInstallation> {
  const { book } = await openProcessRegistry(dataDir) // stops leftovers of a killed run
  rmSync(dataDir, { recursive: true, force: true })
  mkdirSync(dataDir, { recursive: true })
  book.add('owner', process.pid)
  const environment = await freshEnvironment()
  const running: { service: Service; child: Child }[] = []
  const atExit = () => {
    for (const { service, child } of running.toReversed()) child.signal(service.stopSignal)
  }
  process.once('exit', atExit)

  const start = async (service: Service) => {
    const child = await service.start()
    running.push({ service, child })
    book.add(service.name, child.pid)
    await service.ready(child)
    return child
  }
  const stop = async (child: Child) => {
    const at = running.findIndex((one) => one.child === child)
    const [{ service }] = running.splice(at, 1) as [(typeof running)[number]]
    await stopChild(child, service.stopSignal, service.graceMs)
  }

  await start(postgresService(environment))
  const temporal = await temporalOn(environment, start)
  let temporalChild = await start(temporal)
  const emptyTemporal = async () => {
    if (temporalStore === 'postgres') throw new Error('Only a store in SQLite can be emptied here.')
    await stop(temporalChild)
    for (const name of readdirSync(dataDir)) if (name.startsWith('temporal.db')) rmSync(join(dataDir, name))
    temporalChild = await start(temporal)
  }
  const db = connect(environment.addresses.databaseUrl, { poolSize: 4, applicationName: 'carillon-bench' })
  await assertDurable(db)
  await migrateToLatest(db)
  const credentials = await setUpUnit(db)
  const connection = Connection.lazy({ address: environment.addresses.temporalAddress })
  const client = new Client({ connection })

  return {
    ...{ environment, credentials, client, db, plainly, start, stop, emptyTemporal },
    services: () => running.map(({ service, child }) => ({ name: service.name, pid: child.pid })),
    async close() {
      await db.destroy()
      await connection.close()
      for (const { child } of running.toReversed()) await stop(child)
      process.off('exit', atExit)
      book.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/**
 * The Temporal server: the development server with its file, or, with `TEMPORAL_STORE=postgres`, the server on a Postgres of
 * its own, which is started first.
 */
async function temporalOn(
  environment: Environment,
  start: (service: Service) => Promise<Child>,
): Promise<Service> {
  if (temporalStore === 'sqlite') return temporalService(environment, await temporalBinary())
  const port = await freePort()
  const databases = Object.values(temporalDatabases)
  await start(postgresNamed('temporal-postgres', environment, port, databases))
  return temporalOnPostgresService(environment, await temporalServerBinaries(), port)
}

/** Uses free ports, so that `npm start` can run at the same time. */
async function freshEnvironment(): Promise<Environment> {
  const names = [
    'api',
    'apiMetrics',
    'workerMetrics',
    'simulator',
    'mailbox',
    'signIn',
    'producer',
    'smtp',
    'postgres',
    'temporal',
    'temporalUi',
  ] as const
  const ports = {} as Record<(typeof names)[number], number>
  for (const name of names) ports[name] = await freePort()
  const settings = { dataDir, databaseUrl: undefined, temporalAddress: undefined, ports }
  return environmentOf(settings, loadSecrets(dataDir))
}

async function assertDurable(db: Db): Promise<void> {
  for (const setting of ['fsync', 'synchronous_commit']) {
    const { rows } = await sql<{ value: string }>`select current_setting(${setting}) as value`.execute(db)
    if (rows[0]!.value !== 'on')
      throw new Error(`${setting} is off: turn it on, or the figures do not count.`)
  }
}

async function plainly<T>(databaseUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
