import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { inject } from 'vitest'
import { freePort } from '../../../../dev/ports.ts'
import {
  createDatabaseOnce,
  type PostgresOptions,
  postgresReady,
  postgresUrl,
  startPostgres,
} from '../../../../dev/postgres.ts'
import { type Child, stopChild } from '../../../../dev/process.ts'
import { openProcessRegistry, type ProcessRegistry } from '../../../../dev/process-registry.ts'
import { startTemporal, temporalReady } from '../../../../dev/temporal.ts'
import { connect } from '../../../../src/db/connect.ts'
import { migrateToLatest } from '../../../../src/db/migrate.ts'
import { spawnedFolder } from '../../../harness/spawn.ts'

/** A server started by the test, so that it can be killed. */
export interface OwnServer {
  /** Sends SIGKILL, and waits until it has ended. */
  kill(): Promise<void>
  /** Restarts it on the same port with its data. Resolves when it answers. */
  start(): Promise<void>
  /** Stops it; for afterAll. */
  stop(): Promise<void>
}

export type OwnPostgres = OwnServer & { url: string; options: PostgresOptions }
export type OwnTemporal = OwnServer & {
  address: string
  /** Kills it and deletes its data. */
  wipe(): Promise<void>
}

const STOP_GRACE_MS = 10_000

/** A Postgres server with a migrated database. */
export async function ownPostgres(): Promise<OwnPostgres> {
  const folder = join(inject('scratch'), `postgres-${randomBytes(4).toString('hex')}`)
  const options = {
    dataDir: join(folder, 'data'),
    port: await freePort(),
    password: randomBytes(16).toString('hex'),
    logFile: join(folder, 'postgres.log'),
    sharedBuffers: '64MB',
    durable: false,
  } as const
  const server = await ownPostgresOn(options)
  await createDatabaseOnce(options, 'carillon')
  const db = connect(server.url)
  await migrateToLatest(db)
  await db.destroy()
  return server
}

/** A Postgres server on this data folder, which is created if it is missing. */
export async function ownPostgresOn(options: PostgresOptions): Promise<OwnPostgres> {
  const server = await own(async () => {
    const child = await startPostgres(options)
    await postgresReady(child, postgresUrl(options, 'postgres'))
    return child
  }, 'SIGINT')
  return { ...server, url: postgresUrl(options, 'carillon'), options }
}

/** A Temporal server with the namespace `default`. */
export async function ownTemporal(dynamicConfig: string[] = []): Promise<OwnTemporal> {
  const folder = join(inject('scratch'), `temporal-${randomBytes(4).toString('hex')}`)
  const port = await freePort()
  const address = `127.0.0.1:${port}`
  const server = await own(async () => {
    const child = await startTemporal({
      ...{ binary: inject('temporalBinary'), port, dynamicConfig },
      ...{ database: join(folder, 'temporal.db'), logFile: join(folder, 'temporal.log') },
    })
    await temporalReady(child, address)
    return child
  }, 'SIGKILL')
  const wipe = async () => {
    await server.kill()
    rmSync(folder, { recursive: true })
  }
  return { ...server, address, wipe }
}

async function own(startChild: () => Promise<Child>, stopSignal: NodeJS.Signals): Promise<OwnServer> {
  const name = randomBytes(4).toString('hex')
  let child: Child | undefined
  const start = async () => {
    child = await startChild()
    ;(await openRegistry()).add(name, child.pid)
  }
  const kill = async () => {
    child?.signal('SIGKILL')
    await child?.exited
    child = undefined
  }
  await start()
  return {
    start,
    kill,
    async stop() {
      if (child) await stopChild(child, stopSignal, STOP_GRACE_MS)
    },
  }
}

let opened: Promise<{ book: ProcessRegistry }> | undefined

/** Beside the registry of spawned processes, so that both are found when this process is killed. */
async function openRegistry(): Promise<ProcessRegistry> {
  opened ??= openProcessRegistry(join(spawnedFolder(inject('scratch')), `by-${process.pid}-servers`))
  return (await opened).book
}
