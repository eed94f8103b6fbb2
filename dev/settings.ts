import { resolve } from 'node:path'
import type { WantedPort } from './ports.ts'

/** The settings that `npm start` reads from its environment. */
export interface Settings {
  /** The folder of all persistent data: databases, journals, logs, secrets. */
  dataDir: string
  /** If set, no Postgres is started. */
  databaseUrl: string | undefined
  /** If set, no Temporal is started. */
  temporalAddress: string | undefined
  ports: Record<PortName, number>
}

export type PortName =
  | 'api'
  | 'apiMetrics'
  | 'workerMetrics'
  | 'simulator'
  | 'mailbox'
  | 'signIn'
  | 'producer'
  | 'smtp'
  | 'postgres'
  | 'temporal'
  | 'temporalUi'

/** Below the ephemeral port range, and apart from the usual ports of development servers. */
const PORTS: Record<PortName, WantedPort> = {
  api: { what: 'the API', port: 4600, setting: 'PORT' },
  simulator: { what: 'the chat simulator', port: 4601, setting: 'SIMULATOR_PORT' },
  mailbox: { what: 'the mailbox', port: 4602, setting: 'MAILBOX_PORT' },
  signIn: { what: 'the identity provider', port: 4603, setting: 'SIGN_IN_PORT' },
  producer: { what: 'the producer', port: 4606, setting: 'PRODUCER_PORT' },
  apiMetrics: { what: "the API's metrics", port: 4604, setting: 'API_METRICS_PORT' },
  workerMetrics: { what: "the worker's metrics", port: 4605, setting: 'WORKER_METRICS_PORT' },
  smtp: { what: "the mailbox' mail server", port: 4625, setting: 'MAILBOX_SMTP_PORT' },
  postgres: { what: 'Postgres', port: 4632, setting: 'POSTGRES_PORT' },
  temporal: { what: 'Temporal', port: 4633, setting: 'TEMPORAL_PORT' },
  temporalUi: { what: 'the Temporal UI', port: 4634, setting: 'TEMPORAL_UI_PORT' },
}

const LARGEST_PORT = 65_535

/** @throws Error that names every setting that is not a port */
export function readSettings(env: NodeJS.ProcessEnv): Settings {
  const wrong = Object.values(PORTS).filter(({ setting }) => env[setting] && !isPort(env[setting]))
  if (wrong.length > 0) {
    const names = wrong.map(({ setting }) => `${setting}=${env[setting]}`).join(', ')
    throw new Error(`Set ports to numbers from 1 to ${LARGEST_PORT}; invalid: ${names}.`)
  }
  const portOf = ({ setting, port }: WantedPort) => Number(env[setting] || port)
  return {
    dataDir: resolve(env.CARILLON_DATA_DIR || '.data'),
    databaseUrl: env.DATABASE_URL || undefined,
    temporalAddress: env.TEMPORAL_ADDRESS || undefined,
    ports: {
      api: portOf(PORTS.api),
      apiMetrics: portOf(PORTS.apiMetrics),
      workerMetrics: portOf(PORTS.workerMetrics),
      simulator: portOf(PORTS.simulator),
      mailbox: portOf(PORTS.mailbox),
      signIn: portOf(PORTS.signIn),
      producer: portOf(PORTS.producer),
      smtp: portOf(PORTS.smtp),
      postgres: portOf(PORTS.postgres),
      temporal: portOf(PORTS.temporal),
      temporalUi: portOf(PORTS.temporalUi),
    },
  }
}

function isPort(text: string): boolean {
  return /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= LARGEST_PORT
}

/** The ports that `npm start` will listen on. */
export function wantedPorts({ ports, databaseUrl, temporalAddress }: Settings): WantedPort[] {
  const names: PortName[] = [
    'api',
    'apiMetrics',
    'workerMetrics',
    'simulator',
    'mailbox',
    'signIn',
    'producer',
    'smtp',
    ...(databaseUrl ? [] : (['postgres'] as const)),
    ...(temporalAddress ? [] : (['temporal', 'temporalUi'] as const)),
  ]
  return names.map((name) => ({ ...PORTS[name], port: ports[name] }))
}
