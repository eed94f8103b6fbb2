import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { Connection } from '@temporalio/client'
import { type Child, startChild, waitUntilReady } from './process.ts'

export interface TemporalOptions {
  /** From `temporalBinary()`. */
  binary: string
  port: number
  /** No UI if undefined. */
  uiPort?: number
  /** The file that persists runs across restarts. */
  database: string
  logFile: string
  /** Further dynamic configuration: key=value, the value in JSON. */
  dynamicConfig?: string[]
}

const READY_TIMEOUT_MS = 60_000

/** Starts a Temporal development server on 127.0.0.1 with the namespace `default`. */
export async function startTemporal({ binary, port, uiPort, ...options }: TemporalOptions): Promise<Child> {
  mkdirSync(dirname(options.database), { recursive: true })
  const args = [
    ...['server', 'start-dev'],
    ...['--ip', '127.0.0.1', '--port', String(port)],
    ...(uiPort === undefined ? ['--headless'] : ['--ui-port', String(uiPort)]),
    ...['--db-filename', options.database],
    // Two to three times the throughput of SQLite's default settings.
    ...['--sqlite-pragma', 'journal_mode=wal', '--sqlite-pragma', 'synchronous=normal'],
    // Fairness between units.
    ...['--dynamic-config-value', 'matching.useNewMatcher=true'],
    ...['--dynamic-config-value', 'matching.enableFairness=true'],
    ...(options.dynamicConfig ?? []).flatMap((setting) => ['--dynamic-config-value', setting]),
    ...['--log-level', 'error'],
  ]
  return startChild({ name: 'temporal', command: binary, args, logFile: options.logFile })
}

/** Waits until the server serves its default namespace, at most a minute. */
export async function temporalReady(child: Child, address: string): Promise<void> {
  await waitUntilReady(child, () => probe(address, 500), READY_TIMEOUT_MS)
}

/**
 * Checks that an external server answers.
 *
 * @throws Error that names the setting of its address
 */
export async function expectTemporal(address: string): Promise<void> {
  await probe(address, 5_000).catch(() => {
    throw new Error(
      `Temporal does not answer at TEMPORAL_ADDRESS=${address}, or has no namespace default. Start it, or unset TEMPORAL_ADDRESS: npm start then starts a server.`,
    )
  })
}

async function probe(address: string, connectTimeout: number): Promise<void> {
  const connection = await Connection.connect({ address, connectTimeout })
  try {
    await connection.withDeadline(Date.now() + 2_000, () =>
      connection.workflowService.describeNamespace({ namespace: 'default' }),
    )
  } finally {
    await connection.close()
  }
}
