import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Connection } from '@temporalio/client'
import { cacheFolder } from './cache.ts'
import { buildWithGo } from './go-build.ts'
import { withMachineLock } from './machine-lock.ts'
import { freePort } from './ports.ts'
import type { PostgresAt } from './postgres.ts'
import { POSTGRES_USER } from './postgres-data.ts'
import { type Child, startChild, waitUntilReady } from './process.ts'
import { temporalReady } from './temporal.ts'

/** The server that the `temporal` command of `TEMPORAL_VERSION` contains, as a program of its own. */
const version = 'v1.29.1'
const module = 'go.temporal.io/server'

/** The server, and the tool that makes its schemas. */
export type TemporalServerBinaries = { server: string; sql: string }

/** Its databases: what runs are, and what lists find of them. */
export const temporalDatabases = { default: 'temporal', visibility: 'temporal_visibility' } as const
/** The schema of each, as the tool names it. */
const schemas = {
  default: 'postgresql/v12/temporal',
  visibility: 'postgresql/v12/visibility',
} as const

/** As an installation would set it that begins small: it cannot be changed later. */
const historyShards = 512
const retentionSeconds = 3 * 86_400
const readyMs = 120_000

/** Where it is started: its Postgres, and a folder for its configuration. */
export type TemporalServer = {
  postgres: PostgresAt
  port: number
  folder: string
  logFile: string
}

/** Builds the server with Go, once per machine. */
export async function temporalServerBinaries(): Promise<TemporalServerBinaries> {
  const folder = join(cacheFolder(), `temporal-server-${version}`)
  const binaries = { server: join(folder, 'server'), sql: join(folder, 'sql') }
  mkdirSync(cacheFolder(), { recursive: true })
  return withMachineLock(`${folder}.lock`, async () => {
    if (!existsSync(folder)) {
      const packages = ['cmd/server', 'cmd/tools/sql'].map((path) => `${module}/${path}@${version}`)
      await buildWithGo(packages, (built) => built, folder)
    }
    return binaries
  })
}

/** Starts the server on Postgres, whose databases are there; makes its schemas first. Without a UI. */
export async function startTemporalServer(
  binaries: TemporalServerBinaries,
  where: TemporalServer,
): Promise<Child> {
  for (const store of ['default', 'visibility'] as const) makeSchema(binaries.sql, where, store)
  const config = join(where.folder, 'config')
  mkdirSync(config, { recursive: true })
  writeFileSync(join(config, 'dynamic.yaml'), dynamicConfig)
  writeFileSync(
    join(config, 'local.yaml'),
    JSON.stringify(await configOf(where, join(config, 'dynamic.yaml'))),
    {
      mode: 0o600,
    },
  )
  const args = ['--root', where.folder, '--config', 'config', '--env', 'local', '--allow-no-auth', 'start']
  return startChild({ name: 'temporal', command: binaries.server, args, logFile: where.logFile })
}

/** Waits until the server answers, and creates the namespace `default`. */
export async function temporalServerReady(child: Child, address: string): Promise<void> {
  await waitUntilReady(child, () => registerNamespace(address), readyMs)
  await temporalReady(child, address)
}

async function registerNamespace(address: string): Promise<void> {
  const connection = await Connection.connect({ address, connectTimeout: 500 })
  try {
    await connection.workflowService
      .registerNamespace({
        namespace: 'default',
        workflowExecutionRetentionPeriod: { seconds: retentionSeconds as unknown as never },
      })
      .catch((error: Error) => {
        if (!error.message.includes('already')) throw error
      })
  } finally {
    await connection.close()
  }
}

function makeSchema(
  tool: string,
  { postgres: { port, password } }: TemporalServer,
  store: keyof typeof schemas,
): void {
  const database = temporalDatabases[store]
  const at = ['--plugin', 'postgres12', '--ep', '127.0.0.1', '--port', String(port), '--db', database]
  const run = (...args: string[]) =>
    execFileSync(tool, [...at, ...args], {
      env: { ...process.env, SQL_USER: POSTGRES_USER, SQL_PASSWORD: password },
      stdio: 'pipe',
    })
  run('setup-schema', '-v', '0.0')
  run('update-schema', '--schema-name', schemas[store])
}

/** Fairness between units, as in the development server. */
const dynamicConfig = `matching.useNewMatcher:
  - value: true
matching.enableFairness:
  - value: true
`

/** See https://docs.temporal.io/references/configuration. JSON is YAML. */
async function configOf({ postgres, port }: TemporalServer, dynamicConfigFile: string) {
  const store = (databaseName: string, maxConns: number) => ({
    sql: {
      ...{ pluginName: 'postgres12', databaseName, user: POSTGRES_USER, password: postgres.password },
      ...{ connectAddr: `127.0.0.1:${postgres.port}`, connectProtocol: 'tcp' },
      ...{ maxConns, maxIdleConns: maxConns, maxConnLifetime: '1h' },
    },
  })
  const rpc = async (grpcPort?: number) => ({
    rpc: {
      grpcPort: grpcPort ?? (await freePort()),
      membershipPort: await freePort(),
      bindOnLocalHost: true,
    },
  })
  return {
    log: { stdout: true, level: 'error' },
    persistence: {
      defaultStore: 'default',
      visibilityStore: 'visibility',
      numHistoryShards: historyShards,
      datastores: {
        default: store(temporalDatabases.default, 20),
        visibility: store(temporalDatabases.visibility, 10),
      },
    },
    global: { membership: { maxJoinDuration: '30s', broadcastAddress: '127.0.0.1' } },
    services: {
      frontend: await rpc(port),
      matching: await rpc(),
      history: await rpc(),
      worker: await rpc(),
    },
    clusterMetadata: {
      enableGlobalNamespace: false,
      failoverVersionIncrement: 10,
      masterClusterName: 'active',
      currentClusterName: 'active',
      clusterInformation: {
        active: {
          ...{ enabled: true, initialFailoverVersion: 1, rpcName: 'frontend' },
          rpcAddress: `127.0.0.1:${port}`,
        },
      },
    },
    publicClient: { hostPort: `127.0.0.1:${port}` },
    dynamicConfigClient: { filepath: dynamicConfigFile, pollInterval: '60s' },
  }
}
