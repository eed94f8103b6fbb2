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

/** A port of the demo: `offset` from the first one. */
type DemoPort = { what: string; offset: number; setting: string }

const PORTS: Record<PortName, DemoPort> = {
  api: { what: 'the API', offset: 0, setting: 'PORT' },
  simulator: { what: 'the chat simulator', offset: 1, setting: 'SIMULATOR_PORT' },
  mailbox: { what: 'the mailbox', offset: 2, setting: 'MAILBOX_PORT' },
  signIn: { what: 'the identity provider', offset: 3, setting: 'SIGN_IN_PORT' },
  apiMetrics: { what: "the API's metrics", offset: 4, setting: 'API_METRICS_PORT' },
  workerMetrics: { what: "the worker's metrics", offset: 5, setting: 'WORKER_METRICS_PORT' },
  producer: { what: 'the producer', offset: 6, setting: 'PRODUCER_PORT' },
  smtp: { what: "the mailbox' mail server", offset: 25, setting: 'MAILBOX_SMTP_PORT' },
  postgres: { what: 'Postgres', offset: 32, setting: 'POSTGRES_PORT' },
  temporal: { what: 'Temporal', offset: 33, setting: 'TEMPORAL_PORT' },
  temporalUi: { what: 'the Temporal UI', offset: 34, setting: 'TEMPORAL_UI_PORT' },
}

/** Below the ephemeral port range, and apart from the usual ports of development servers. */
const FIRST_PORT = 4600
const LARGEST_PORT = 65_535
const LARGEST_BASE = LARGEST_PORT - Math.max(...Object.values(PORTS).map(({ offset }) => offset))

/** @throws Error that names every setting that is not a port */
export function readSettings(env: NodeJS.ProcessEnv): Settings {
  const wrong = Object.values(PORTS).filter(({ setting }) => env[setting] && !isPort(env[setting]))
  if (wrong.length > 0) {
    const names = wrong.map(({ setting }) => `${setting}=${env[setting]}`).join(', ')
    throw new Error(`Set ports to numbers from 1 to ${LARGEST_PORT}; invalid: ${names}.`)
  }
  const { PORT_BASE: base } = env
  if (base && !(isPort(base) && Number(base) <= LARGEST_BASE))
    throw new Error(`Set PORT_BASE to the first port, from 1 to ${LARGEST_BASE}; invalid: ${base}.`)
  const first = Number(base || FIRST_PORT)
  const portOf = ({ setting, offset }: DemoPort) => Number(env[setting] || first + offset)
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
  return names.map((name) => ({ what: PORTS[name].what, setting: PORTS[name].setting, port: ports[name] }))
}
