import { buildApp } from './api/app.ts'
import type { AuthSettings } from './api/auth/authenticate.ts'
import type { OidcOptions } from './api/auth/oidc.ts'
import type { Probes } from './api/health.ts'
import { drain } from './api/plugins/drain.ts'
import { type Config, readConfig } from './config.ts'
import { requireMigrations } from './db/migrate.ts'
import { startMetricsServer } from './metrics/server.ts'
import { logStart, runProcess, shutDownOnSignal } from './process.ts'
import { createApplyAtOnce } from './services/webhooks/apply-at-once.ts'
import { temporalHealth } from './temporal/health.ts'
import { startTracing } from './tracing/start.ts'
import { type Wiring, wire } from './wiring.ts'

/** Timeout of a health check (ms). */
const probeMs = 1_000

/** The API process: listens on HOST and PORT, and finishes the requests in flight before it exits. */
async function main(): Promise<void> {
  const config = readConfig(process.env)
  const wiring = wire(config, 'api')
  await startTracing(config, 'api', wiring.services.log)
  for (const warning of config.warnings) wiring.services.log.warn(warning)
  await requireMigrations(wiring.services.db)
  const services = { ...wiring.services, applyAtOnce: createApplyAtOnce(wiring.services) }
  const app = await buildApp(services, {
    probes: probesOf(wiring),
    trustProxy: config.TRUST_PROXY,
    auth: authSettingsOf(config),
    signIn: signInOf(config),
    rates: { perMinute: config.RATE_LIMIT_PER_MINUTE, perSecond: config.RATE_LIMIT_PER_SECOND },
    recipientOrigins: config.RECIPIENT_ORIGINS,
  })
  const metricsServer = await startMetricsServer(config, app.metrics)
  shutDownOnSignal(wiring.services.log, async () => {
    await drain(app)
    await metricsServer.close()
    await wiring.close()
  })
  await app.listen({ host: config.HOST, port: config.PORT })
  logStart(wiring.services.log)
}

function authSettingsOf(config: Config): AuthSettings {
  const { CHAT_LOGIN_CHANNEL_ID: channelId, CHAT_LOGIN_ISSUER: issuer, CHAT_LOGIN_JWKS_URL: jwksUrl } = config
  const secret = config.CHAT_LOGIN_CHANNEL_SECRET
  return {
    mock: config.CHANNEL_MOCK,
    eventSigning: { keys: config.EVENT_SIGNING_KEYS, sources: config.EVENT_SIGNING_SOURCES },
    webhookSecrets: {
      ...(config.CHAT_CHANNEL_SECRET && { chat: config.CHAT_CHANNEL_SECRET }),
      ...(config.EMAIL_WEBHOOK_SECRET && { email: config.EMAIL_WEBHOOK_SECRET }),
      ...(config.AVATAR_WEBHOOK_SECRET && { avatar: config.AVATAR_WEBHOOK_SECRET }),
    },
    ...(channelId && { chatLogin: { channelId, issuer, jwksUrl, secret } }),
  }
}

/** `readConfig` has checked that the settings of sign-in are complete. */
function signInOf(config: Config): OidcOptions | undefined {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, PUBLIC_URL } = config
  if (issuer === undefined) return undefined
  const client = { clientId: OIDC_CLIENT_ID!, clientSecret: OIDC_CLIENT_SECRET! }
  return { issuer, ...client, redirectUri: `${PUBLIC_URL}/v1/auth/callback` }
}

function probesOf({ temporal, connections }: Wiring): Probes {
  const probes = Object.entries(connections).map(([name, { health }]) => [name, () => health(probeMs)])
  return { temporal: () => temporalHealth(temporal), adapters: Object.fromEntries(probes) }
}

runProcess(main)
