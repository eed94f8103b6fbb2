import { join, resolve } from 'node:path'
import { Connection } from '@temporalio/client'
import { DATABASE, type Environment } from './environment.ts'
import { createDatabaseOnce, postgresReady, postgresUrl, startPostgres } from './postgres.ts'
import { type Child, startChild, waitUntilReady } from './process.ts'
import type { Service } from './supervisor.ts'
import { startTemporal, temporalReady } from './temporal.ts'
import { startTemporalServer, type TemporalServerBinaries, temporalServerReady } from './temporal-server.ts'

const ROOT = resolve(import.meta.dirname, '..')
const READY_TIMEOUT_MS = 120_000
const PROBE_TIMEOUT_MS = 2_000

/** Postgres with the database. */
export function postgresService(environment: Environment): Service {
  return postgresNamed('postgres', environment, environment.settings.ports.postgres, [DATABASE])
}

/** A Postgres of this name, in a folder of its own, with these databases. It keeps what it has committed. */
export function postgresNamed(
  name: string,
  { settings, secrets }: Environment,
  port: number,
  databases: readonly string[],
): Service {
  const options = {
    dataDir: join(settings.dataDir, name),
    password: secrets.postgresPassword,
    logFile: logFile(settings.dataDir, name),
    sharedBuffers: '512MB',
    durable: true,
    port,
  } as const
  return {
    name,
    start: () => startPostgres(options),
    ready: async (child) => {
      await postgresReady(child, postgresUrl(options, 'postgres'))
      for (const database of databases) await createDatabaseOnce(options, database)
    },
    stopSignal: 'SIGINT', // fast shutdown; SIGTERM would wait for every client to disconnect
    graceMs: 20_000,
  }
}

/** The Temporal server with its UI; `binary` from `temporalBinary()`. */
export function temporalService({ settings, addresses }: Environment, binary: string): Service {
  const options = {
    binary,
    port: settings.ports.temporal,
    uiPort: settings.ports.temporalUi,
    database: join(settings.dataDir, 'temporal.db'),
    logFile: logFile(settings.dataDir, 'temporal'),
  }
  return {
    name: 'temporal',
    start: () => startTemporal(options),
    ready: (child) => temporalReady(child, addresses.temporalAddress),
    stopSignal: 'SIGTERM',
    graceMs: 10_000,
  }
}

/** The Temporal server on a Postgres of its own, which `postgresNamed` has started at this port, without a UI. */
export function temporalOnPostgresService(
  { settings, secrets, addresses }: Environment,
  binaries: TemporalServerBinaries,
  postgresPort: number,
): Service {
  return {
    name: 'temporal',
    start: () =>
      startTemporalServer(binaries, {
        postgres: { port: postgresPort, password: secrets.postgresPassword },
        port: settings.ports.temporal,
        folder: join(settings.dataDir, 'temporal'),
        logFile: logFile(settings.dataDir, 'temporal'),
      }),
    ready: (child) => temporalServerReady(child, addresses.temporalAddress),
    stopSignal: 'SIGTERM',
    graceMs: 10_000,
  }
}

/** The chat simulator, with its journal in the data folder. */
export function simulatorService(environment: Environment): Service {
  return nodeService(environment, 'simulator', 'dev/simulator/main.ts', () =>
    answers(`${environment.addresses.simulator}/faults`),
  )
}

/** The mailbox: a mail server that stores its mail in the data folder, and a page that shows it. */
export function mailboxService(environment: Environment): Service {
  return nodeService(environment, 'mailbox', 'dev/mailbox/main.ts', () =>
    answers(`${environment.addresses.mailbox}/faults`),
  )
}

/** The identity provider, which lets anyone sign in as one of the demo's people. */
export function signInService(environment: Environment): Service {
  return nodeService(environment, 'signIn', 'dev/identity/main.ts', () =>
    answers(`${environment.addresses.signIn}/.well-known/openid-configuration`),
  )
}

/** The producer, which answers the Lookups of the demo's scenario, with its journal in the data folder. */
export function producerService(environment: Environment): Service {
  return nodeService(environment, 'producer', 'dev/producer/main.ts', () =>
    answers(`${environment.addresses.producer}/faults`),
  )
}

/** The API; ready once GET /readyz succeeds. */
export function apiService(environment: Environment): Service {
  return nodeService(onPort(environment, 'apiMetrics'), 'api', 'src/server.ts', () =>
    answers(`${environment.addresses.api}/readyz`),
  )
}

/** The worker; ready once it polls Temporal. */
export function workerService(environment: Environment): Service {
  return nodeService(
    onPort(environment, 'workerMetrics'),
    'worker',
    'src/worker.ts',
    (child) => polls(child.pid, environment.addresses.temporalAddress),
    ['--max-old-space-size=512', '--max-semi-space-size=16'], // as in docker-compose.yml
  )
}

/** With the port of a process' metrics. */
function onPort(environment: Environment, name: 'apiMetrics' | 'workerMetrics'): Environment {
  const METRICS_PORT = String(environment.settings.ports[name])
  return { ...environment, variables: { ...environment.variables, METRICS_PORT } }
}

function nodeService(
  { settings, variables }: Environment,
  name: string,
  script: string,
  probe: (child: Child) => Promise<void>,
  flags: string[] = [],
): Service {
  const options = { name, command: process.execPath, args: [...flags, script], cwd: ROOT, env: variables }
  return {
    name,
    start: () => startChild({ ...options, logFile: logFile(settings.dataDir, name) }),
    ready: (child) => waitUntilReady(child, () => probe(child), READY_TIMEOUT_MS),
    stopSignal: 'SIGTERM',
    graceMs: 20_000, // the worker lets the batch in flight finish
  }
}

/** The log file of a service. */
export function logFile(dataDir: string, name: string): string {
  return join(dataDir, 'logs', `${name}.log`)
}

async function answers(url: string): Promise<void> {
  const response = await fetch(url, { signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) })
  await response.body?.cancel()
  if (!response.ok) throw new Error(`${url} answers ${response.status}`)
}

async function polls(pid: number, address: string): Promise<void> {
  const connection = await Connection.connect({ address, connectTimeout: PROBE_TIMEOUT_MS })
  try {
    const { pollers } = await connection.workflowService.describeTaskQueue({
      namespace: 'default',
      taskQueue: { name: 'carillon' },
      taskQueueType: 1, // workflow tasks
    })
    const isPolling = pollers?.some(({ identity }) => identity?.includes(` ${pid}@`))
    if (!isPolling) throw new Error('it does not poll Temporal yet')
  } finally {
    await connection.close()
  }
}
