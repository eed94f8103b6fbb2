import { join } from 'node:path'
import { Client, Connection } from '@temporalio/client'
import { inject } from 'vitest'
import { connect, type Db } from '../../../../src/db/connect.ts'
import { freshDatabase } from '../../../harness/database.ts'
import { freshNamespace } from '../../../harness/namespace.ts'
import { type Spawned, spawnProcess } from '../../../harness/spawn.ts'
import { findLeaks } from './canaries.ts'
import type { Crowd } from './people.ts'
import {
  type Credentials,
  type PlannedMessage,
  type Producer,
  plan,
  producerAt,
  type Times,
} from './producer.ts'
import type { OwnPostgres, OwnTemporal } from './servers.ts'
import { setUpUnit } from './set-up.ts'
import { type ChatWebhook, type Simulator, startSimulator } from './simulator.ts'

/** Settings of a process that differ from the installation's: the address of a proxy, a smaller pool, … */
export type Env = Record<string, string>

export type Api = Producer & { url: string; process: Spawned }

/** An installation of real processes on real servers, and what was planned in it. */
export interface Installation {
  db: Db
  databaseUrl: string
  temporal: { address: string; namespace: string; client: Client }
  simulator: Simulator
  unitId: string
  credentials: Credentials
  /** Every message of the test; `expectInvariants` checks all of them. */
  planned: PlannedMessage[]
  plan(crowd: Crowd, times?: Times): PlannedMessage
  startApi(env?: Env, nodeArgs?: string[]): Promise<Api>
  startWorker(env?: Env, nodeArgs?: string[]): Promise<Spawned>
  /** `carillon <args>` */
  carillon(...args: string[]): Promise<void>
  /** Where personal data must not appear; metrics are read of the processes that were started with METRICS_PORT. */
  leaks(): Promise<string[]>
  /** Closes a far end of the installation together with it, once its processes have ended. */
  closeAtEnd(close: () => Promise<unknown>): void
  close(): Promise<void>
}

/**
 * Opens an installation on the shared servers of the test run, or on servers of its own that the test can kill. `webhook`:
 * where the chat provider posts what people do.
 */
export async function startInstallation(
  own: { postgres?: Pick<OwnPostgres, 'url'>; temporal?: OwnTemporal; webhook?: ChatWebhook } = {},
): Promise<Installation> {
  const database = own.postgres ? ownDatabase(own.postgres.url) : await freshDatabase()
  const where = own.temporal
    ? { address: own.temporal.address, namespace: 'default' }
    : await freshNamespace()
  const { db, url: databaseUrl } = database
  const connection = Connection.lazy({ address: where.address })
  const client = new Client({ connection, namespace: where.namespace })
  const journals = join(inject('scratch'), 'journals', `${process.pid}-${Date.now()}`)
  const simulator = await startSimulator(journals, own.webhook)
  const { unitId, ...credentials } = await setUpUnit(db)
  const processes: Spawned[] = []
  const metricsPorts: string[] = []
  const planned: PlannedMessage[] = []
  const farEnds: (() => Promise<unknown>)[] = []

  const environment = (env: Env): Env => ({
    DATABASE_URL: databaseUrl,
    TEMPORAL_ADDRESS: where.address,
    TEMPORAL_NAMESPACE: where.namespace,
    CHAT_BASE_URL: simulator.url,
    CHAT_CHANNEL_TOKEN: simulator.token,
    ...env,
  })
  async function start(name: string, args: string[], env: Env): Promise<Spawned> {
    const spawned = await spawnProcess(name, args, environment(env))
    processes.push(spawned)
    if (env.METRICS_PORT !== undefined) metricsPorts.push(env.METRICS_PORT)
    return spawned
  }

  return {
    ...{ db, databaseUrl, temporal: { ...where, client }, simulator, unitId, credentials, planned },
    plan(crowd, times) {
      const message = plan(crowd, times)
      planned.push(message)
      return message
    },
    async startApi(env = {}, nodeArgs = []) {
      const spawned = await start('api', [...nodeArgs, 'src/server.ts'], {
        PORT: '0',
        RATE_LIMIT_PER_SECOND: '0',
        ...env,
      })
      await spawned.logged(/Server listening at/)
      const [, url] = /Server listening at (http:[^"]+)/.exec(spawned.log())!
      return { ...producerAt(url!, credentials), url: url!, process: spawned }
    },
    startWorker: (env = {}, nodeArgs = []) => start('worker', [...nodeArgs, 'src/worker.ts'], env),
    async carillon(...args) {
      const { exited, log } = await start('carillon', ['src/cli.ts', ...args], {})
      const { code } = await exited
      if (code !== 0) throw new Error(`carillon ${args.join(' ')} ended with ${code}:\n${log()}`)
    },
    leaks: () => findLeaks(client, processes, metricsPorts),
    closeAtEnd: (close) => void farEnds.push(close),
    async close() {
      await Promise.all(processes.map((spawned) => spawned.stop()))
      await simulator.stop()
      for (const close of farEnds) await close()
      await connection.close()
      await database.drop()
    },
  }
}

function ownDatabase(url: string) {
  // An idle connection breaks when its server is killed; the next query makes another.
  const db = connect(url)
  return { db, url, drop: () => db.destroy() }
}
