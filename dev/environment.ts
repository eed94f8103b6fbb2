import { join } from 'node:path'
import { unitNames } from './demo/catalogue.ts'
import { demoEvent } from './demo/event.ts'
import { postgresUrl } from './postgres.ts'
import type { Secrets } from './secrets.ts'
import type { Settings } from './settings.ts'

/** One environment: its settings and secrets, and the addresses and variables derived from them. */
export interface Environment {
  settings: Settings
  secrets: Secrets
  addresses: Addresses
  /** The environment variables for every process of the project. */
  variables: NodeJS.ProcessEnv
}

/** The addresses of the running environment. */
export interface Addresses {
  api: string
  docs: string
  /** Where the processes serve /metrics. */
  metrics: { api: string; worker: string }
  simulator: string
  mailbox: string
  /** The identity provider of the console. */
  signIn: string
  /** The producer's system, which answers Lookups. */
  producer: string
  temporalAddress: string
  /** null if Temporal is given by TEMPORAL_ADDRESS. */
  temporalUi: string | null
  databaseUrl: string
}

export const DATABASE = 'carillon'

/** Derives addresses and environment variables. */
export function environmentOf(settings: Settings, secrets: Secrets): Environment {
  const addresses = addressesOf(settings, secrets)
  return { settings, secrets, addresses, variables: variablesOf(settings, secrets, addresses) }
}

function addressesOf({ ports, databaseUrl, temporalAddress }: Settings, secrets: Secrets): Addresses {
  const api = `http://127.0.0.1:${ports.api}`
  const postgres = { port: ports.postgres, password: secrets.postgresPassword }
  return {
    api,
    docs: `${api}/docs`,
    metrics: {
      api: `http://127.0.0.1:${ports.apiMetrics}/metrics`,
      worker: `http://127.0.0.1:${ports.workerMetrics}/metrics`,
    },
    simulator: `http://127.0.0.1:${ports.simulator}`,
    mailbox: `http://127.0.0.1:${ports.mailbox}`,
    signIn: `http://127.0.0.1:${ports.signIn}`,
    producer: `http://127.0.0.1:${ports.producer}`,
    temporalAddress: temporalAddress ?? `127.0.0.1:${ports.temporal}`,
    temporalUi: temporalAddress ? null : `http://127.0.0.1:${ports.temporalUi}`,
    databaseUrl: databaseUrl ?? postgresUrl(postgres, DATABASE),
  }
}

function variablesOf(settings: Settings, secrets: Secrets, addresses: Addresses): NodeJS.ProcessEnv {
  return {
    ...process.env,
    // Production rejects the mock headers, which the demo uses.
    NODE_ENV: 'development',
    CHANNEL_MOCK: 'true',
    CARILLON_DATA_DIR: settings.dataDir,
    HOST: '127.0.0.1',
    PORT: String(settings.ports.api),
    DATABASE_URL: addresses.databaseUrl,
    TEMPORAL_ADDRESS: addresses.temporalAddress,
    CHAT_BASE_URL: addresses.simulator,
    CHAT_CHANNEL_TOKEN: secrets.chatChannelToken,
    CHAT_CHANNEL_SECRET: secrets.chatChannelSecret,
    SECRETS_KEY: process.env.SECRETS_KEY || secrets.secretsKey,
    EVENT_SIGNING_KEYS: secrets.eventKeys.map(({ id, secret }) => `${id}:${secret}`).join(','),
    // The first key may raise every source, the second only the registration desk's events.
    EVENT_SIGNING_SOURCES: secrets.eventKeys
      .slice(1)
      .map(({ id }) => `${id}:${demoEvent.source}`)
      .join(','),
    SIMULATOR_PORT: String(settings.ports.simulator),
    SIMULATOR_WEBHOOK_URL: `${addresses.api}/v1/webhooks/chat`,
    SIMULATOR_DIR: join(settings.dataDir, 'simulator'),
    PRODUCER_PORT: String(settings.ports.producer),
    PRODUCER_DIR: join(settings.dataDir, 'producer'),
    AVATAR_UNIT: unitNames.unit['zh-TW'],
    // Callbacks and Lookups are tried with servers on this machine.
    OUTBOUND_ALLOW: '127.0.0.1:*,localhost:*',
    PUBLIC_URL: addresses.api,
    OIDC_ISSUER: addresses.signIn,
    OIDC_CLIENT_ID: 'carillon',
    OIDC_CLIENT_SECRET: secrets.signIn.clientSecret,
    SIGN_IN_PORT: String(settings.ports.signIn),
    SMTP_HOST: '127.0.0.1',
    SMTP_PORT: String(settings.ports.smtp),
    SMTP_SECURITY: 'none',
    SMTP_USER: '',
    MAIL_FROM: '校園通知 Campus notices <notice@campus.example.edu>',
    MAILBOX_PORT: String(settings.ports.mailbox),
    MAILBOX_SMTP_PORT: String(settings.ports.smtp),
    MAILBOX_DIR: join(settings.dataDir, 'mailbox'),
  }
}
