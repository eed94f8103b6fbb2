import type { Logger } from 'pino'
import { type ChatLinkSigner, chatLinkSigner } from './channels/chat/tracked-links.ts'
import { type Connections, connectChannels, registryOf, sendersOf } from './channels/connections.ts'
import { type LinkSigner, linkSigner } from './channels/email/links.ts'
import type { Config } from './config.ts'
import { connect, type Db } from './db/connect.ts'
import { createLogger } from './log.ts'
import { observeRequest } from './metrics/provider-requests.ts'
import type { Services } from './services/context.ts'
import { openPictures, type Pictures } from './services/media/pictures.ts'
import { s3Store } from './services/media/s3-store.ts'
import { postgresStore } from './services/media/store.ts'
import { withFailureLog } from './services/outbound/failure-log.ts'
import { openOutbound, withTracing } from './services/outbound/outbound.ts'
import { createProviderRateLimiter } from './services/outbound/provider-rate.ts'
import { openRendering } from './services/rendering/rendering.ts'
import { openThreads } from './services/rendering/threads.ts'
import { secretBoxOf } from './services/secret-box.ts'
import { deriveKey } from './signing.ts'
import { type Availability, createAvailability } from './temporal/availability.ts'
import { openTemporal, registerSearchAttributes, type Temporal } from './temporal/client.ts'
import { temporalServerOf } from './temporal/server.ts'
import { createWake } from './temporal/wake.ts'
import { stopTracing } from './tracing/spans.ts'

/** A caller learns of an exhausted pool within two seconds; this leaves time for the response (ms). */
const acquireTimeoutMs = 1_500

/** The parts of a process of Carillon. */
export type Wiring = {
  services: Services
  temporal: Temporal
  availability: Availability
  /** The channels that are configured. */
  connections: Connections
  /** Signs and verifies the links in mails; undefined without SECRETS_KEY. */
  links: LinkSigner | undefined
  /** Closes every connection, at the end of the process. */
  close(): Promise<void>
}

/** Connects the parts of one process. Opens no connection yet: a process can start while its dependencies are down. */
export function wire(config: Config, processName: 'api' | 'worker' | 'cli'): Wiring {
  const log = createLogger(processName, config.LOG_LEVEL)
  const db = openDatabase(config, processName, log)
  const temporal = openTemporal(temporalServerOf(config))
  const availability = createAvailability(() => registerSearchAttributes(temporal), log)
  const rateLimiter = createProviderRateLimiter({ db, log })
  const observe = withFailureLog(log, observeRequest)
  const { links, chatLinks } = linkSignersOf(config)
  const connections = connectChannels(config, { mayStart: (rate) => rateLimiter.take(rate), observe, links })
  const secrets = secretBoxOf(config)
  const outbound = withTracing(openOutbound({ allow: config.OUTBOUND_ALLOW }))
  const pictures = openPictures()
  const rendering = openRendering({
    db,
    log,
    threads: openThreads(),
    stepsPerMinute: config.RENDER_STEPS_PER_MINUTE,
  })
  const services: Services = {
    db,
    wake: createWake({ db, temporal, availability, log }),
    channels: registryOf(connections),
    quotaTimeZone: config.QUOTA_TIME_ZONE,
    signingKeys: config.EVENT_SIGNING_KEYS,
    signingSources: config.EVENT_SIGNING_SOURCES,
    webhookRetentionDays: config.RETENTION_WEBHOOKS_DAYS,
    outbound,
    rendering,
    secrets,
    links,
    chatLinks,
    publicUrl: config.PUBLIC_URL,
    media: mediaOf(config, db, pictures),
    avatarUnit: config.AVATAR_UNIT,
    mailServer: config.SMTP_HOST,
    senders: sendersOf(connections),
    replyChat: connections.chat?.reply,
    log,
  }
  const close = async () => {
    await rendering.close()
    pictures.close()
    const providers = Object.values(connections).map((connection) => connection.close())
    await Promise.all([...providers, outbound.close(), temporal.close(), db.destroy()])
    await stopTracing()
  }
  return { services, temporal, availability, connections, links, close }
}

/** Where pictures are kept, and what they are read by; undefined where recipients could not load them. */
function mediaOf(config: Config, db: Db, pictures: Pictures): Services['media'] {
  const url = config.MEDIA_URL ?? config.PUBLIC_URL
  if (url === undefined) return undefined
  const { S3_BUCKET: name, S3_ENDPOINT: endpoint, S3_REGION: region } = config
  const { S3_ACCESS_KEY_ID: accessKeyId = '', S3_SECRET_ACCESS_KEY: secretAccessKey = '' } = config
  const postgres = postgresStore(db)
  if (name === undefined) return { url, pictures, stores: { postgres, current: 'postgres' } }
  const s3 = s3Store({ name, endpoint, region, accessKeyId, secretAccessKey })
  return { url, pictures, stores: { postgres, s3, current: 's3' } }
}

function linkSignersOf({ SECRETS_KEY: secret, SECRETS_KEYS_ACCEPTED: accepted }: Config): {
  links?: LinkSigner
  chatLinks?: ChatLinkSigner
} {
  if (secret === undefined) return {}
  const key = deriveKey('links', secret)
  const keys = accepted.map((one) => deriveKey('links', one))
  return { links: linkSigner(key, keys), chatLinks: chatLinkSigner(key, keys) }
}

function openDatabase(config: Config, processName: string, log: Logger) {
  const options = {
    poolSize: config.DB_POOL_SIZE,
    acquireTimeoutMs,
    applicationName: `carillon-${processName}`,
  }
  return connect(config.DATABASE_URL, options, (err) =>
    log.warn({ err }, 'An idle database connection broke; the pool opens another on demand'),
  )
}
