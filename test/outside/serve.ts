import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { inject } from 'vitest'
import { startIdentity } from '../../dev/identity/server.ts'
import { startMailbox } from '../../dev/mailbox/server.ts'
import { startSimulator } from '../../dev/simulator/server.ts'
import { type Api, startApi } from '../fixtures/api.ts'
import { eventKeys } from '../fixtures/services.ts'
import { freshNamespace } from '../harness/namespace.ts'
import { type Spawned, spawnProcess } from '../harness/spawn.ts'

/** The API as a process of its own, with the units, keys and people of `startApi`. */
export type Served = {
  url: string
  api: Api
  log(): string
  /** Starts a worker: what is approved is sent, and callbacks are called. */
  startWorker(): Promise<void>
  stop(): Promise<void>
}

const token = 'a chat token of this test'
const client = { id: 'carillon', secret: 'a secret of this test' }

/**
 * Serves the API for programs of others: with chat, mail and sign-in configured, so that no operation is
 * `not_configured`, and without rate limits. Without a worker until one is started, so that nothing calls the callbacks
 * that they register.
 */
export async function serveForOutsiders(): Promise<Served> {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 })
  const folder = (name: string) => join(inject('scratch'), `${name}-${process.pid}-${Date.now()}`)
  const [api, simulator, mailbox, identity, { address, namespace }] = await Promise.all([
    startApi(),
    startSimulator({ port: 0, token, dir: folder('chat') }),
    startMailbox({ smtpPort: 0, httpPort: 0, dir: folder('mail') }),
    startIdentity({
      port: 0,
      client: { ...client, redirectUri: 'http://localhost/v1/auth/callback' },
      keys: { signing: privateKey.export({ format: 'jwk' }), cookies: 'cookies of this test' },
      people: [],
    }),
    freshNamespace(),
  ])
  const shared = {
    DATABASE_URL: api.database.url,
    TEMPORAL_ADDRESS: address,
    TEMPORAL_NAMESPACE: namespace,
    PUBLIC_URL: 'http://localhost',
    CHANNEL_MOCK: 'true',
    CHAT_BASE_URL: simulator.url,
    CHAT_CHANNEL_TOKEN: token,
    SMTP_HOST: '127.0.0.1',
    SMTP_PORT: String(mailbox.smtpPort),
    SMTP_SECURITY: 'none',
    MAIL_FROM: 'Registry <notice@hub.example.edu>',
    EVENT_SIGNING_KEYS: [...eventKeys].map((pair) => pair.join(':')).join(','),
    SECRETS_KEY: randomBytes(32).toString('base64'),
  }
  const server = await spawnProcess('api', ['src/server.ts'], {
    ...shared,
    PORT: '0',
    RATE_LIMIT_PER_MINUTE: '0',
    RATE_LIMIT_PER_SECOND: '0',
    OIDC_ISSUER: identity.issuer,
    OIDC_CLIENT_ID: client.id,
    OIDC_CLIENT_SECRET: client.secret,
  })
  const workers: Spawned[] = []
  await server.logged(/Server listening at/)
  const [, url] = /Server listening at (http:[^"]+)/.exec(server.log())!
  const startWorker = async () => {
    workers.push(await spawnProcess('worker', ['src/worker.ts'], { ...shared, METRICS_PORT: '0' }))
  }
  const stop = async () => {
    await Promise.all([server, ...workers].map((process) => process.stop()))
    await Promise.all([simulator.close(), mailbox.close(), identity.close(), api.close()])
  }
  return { url: url!, api, log: server.log, startWorker, stop }
}
