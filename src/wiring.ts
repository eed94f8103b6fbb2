import type { Logger } from 'pino'
import type { ObserveRequest } from './channels/channel.ts'
import { type ChatClient, connectChat } from './channels/chat/client.ts'
import { replyChat } from './channels/chat/send.ts'
import { type ChatLinkSigner, chatLinkSigner } from './channels/chat/tracked-links.ts'
import { withMetrics } from './channels/chat/with-metrics.ts'
import { withRateLimit } from './channels/chat/with-rate-limit.ts'
import { chatWithTracing } from './channels/chat/with-tracing.ts'
import { dkimSigner } from './channels/email/dkim.ts'
import { type LinkSigner, linkSigner } from './channels/email/links.ts'
import { createMailSender } from './channels/email/mailing.ts'
import { type Mailer, openMailer } from './channels/email/send.ts'
import { mailWithTracing } from './channels/email/with-tracing.ts'
import { everyChannel } from './channels/every-channel.ts'
import type { Config } from './config.ts'
import { connect } from './db/connect.ts'
import { createLogger } from './log.ts'
import { observeRequest } from './metrics/provider-requests.ts'
import type { ChannelRegistry } from './services/channel-registry.ts'
import type { Services } from './services/context.ts'
import { withFailureLog } from './services/outbound/failure-log.ts'
import { openOutbound } from './services/outbound/outbound.ts'
import { createProviderRateLimiter, type ProviderRateLimiter } from './services/outbound/provider-rate.ts'
import { withTracing } from './services/outbound/with-tracing.ts'
import { openRendering } from './services/rendering/rendering.ts'
import { openThreads } from './services/rendering/threads.ts'
import { secretBoxOf } from './services/secret-box.ts'
import { deriveKey, sha256 } from './signing.ts'
import { type Availability, createAvailability } from './temporal/availability.ts'
import { openTemporal, registerSearchAttributes, type Temporal } from './temporal/client.ts'
import { temporalServerOf } from './temporal/server.ts'
import { createWake } from './temporal/wake.ts'
import { createChatTestSender, createMailTestSender } from './test-senders.ts'
import { stopTracing } from './tracing/spans.ts'

/** A caller learns of an exhausted pool within two seconds; this leaves time for the response (ms). */
const acquireTimeoutMs = 1_500
/** A mail server that is silent for this long counts as disconnected (ms). A slice must end within a minute of it. */
const mailTimeoutMs = 30_000

/** The parts of a process of Carillon. */
export type Wiring = {
  services: Services
  temporal: Temporal
  availability: Availability
  /** Undefined if no token for the chat provider is configured. */
  chat: ChatClient | undefined
  /** Undefined if no mail server is configured. */
  mail: MailChannel | undefined
  /** Signs and verifies the links in mails; undefined without SECRETS_KEY. */
  links: LinkSigner | undefined
  /** Closes every connection, at the end of the process. */
  close(): Promise<void>
}

/** The mail server's health, and `send`, which sends one mailing to several recipients. */
type MailChannel = Pick<Mailer, 'health'> & { send: ReturnType<typeof createMailSender> }

/** Connects the parts of one process. Opens no connection yet: a process can start while its dependencies are down. */
export function wire(config: Config, processName: 'api' | 'worker' | 'cli'): Wiring {
  const log = createLogger(processName, config.LOG_LEVEL)
  const db = openDatabase(config, processName, log)
  const temporal = openTemporal(temporalServerOf(config))
  const availability = createAvailability(() => registerSearchAttributes(temporal), log)
  const rateLimiter = createProviderRateLimiter({ db, log })
  const observe = withFailureLog(log, observeRequest)
  const chat = openChat(config, rateLimiter, observe)
  const { links, chatLinks } = linkSignersOf(config)
  const secrets = secretBoxOf(config)
  const outbound = withTracing(openOutbound({ allow: config.OUTBOUND_ALLOW }))
  const rendering = openRendering({
    db,
    log,
    threads: openThreads(),
    stepsPerMinute: config.RENDER_STEPS_PER_MINUTE,
  })
  const mailer = openMail(config, rateLimiter, observe)
  const mail = mailer &&
    links && { health: mailer.health, send: createMailSender(mailer, mailIdentity(config, links)) }
  const services: Services = {
    db,
    wake: createWake({ db, temporal, availability, log }),
    channels: registry(chat !== undefined, mailer !== undefined),
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
    avatarUnit: config.AVATAR_UNIT,
    mailServer: config.SMTP_HOST,
    testSenders: {
      ...(chat && { chat: createChatTestSender(chat) }),
      ...(mail && { email: createMailTestSender(mail.send) }),
    },
    replyChat: chat && ((reply) => replyChat(chat, reply)),
    log,
  }
  const close = async () => {
    mailer?.close()
    await rendering.close()
    await Promise.all([chat?.close(), outbound.close(), temporal.close(), db.destroy()])
    await stopTracing()
  }
  return { services, temporal, availability, chat, mail, links, close }
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

function openChat(
  { CHAT_BASE_URL, CHAT_CHANNEL_TOKEN: token }: Config,
  rateLimiter: ProviderRateLimiter,
  observe: ObserveRequest,
): ChatClient | undefined {
  if (!token) return undefined
  const account = `chat ${sha256(token).toString('hex').slice(0, 16)}`
  const client = chatWithTracing(withMetrics(connectChat({ baseUrl: CHAT_BASE_URL, token }), observe))
  return withRateLimit(client, (endpoint, perSecond) => rateLimiter.take({ account, endpoint, perSecond }))
}

function openMail(
  config: Config,
  rateLimiter: ProviderRateLimiter,
  observe: ObserveRequest,
): Mailer | undefined {
  const { SMTP_HOST, SMTP_PORT, SMTP_SECURITY, SMTP_USER, SMTP_PASSWORD, MAIL_FROM } = config
  if (!SMTP_HOST || !MAIL_FROM) return undefined
  const login = SMTP_USER && SMTP_PASSWORD ? { login: { user: SMTP_USER, password: SMTP_PASSWORD } } : {}
  const server = { host: SMTP_HOST, port: SMTP_PORT, security: SMTP_SECURITY, timeoutMs: mailTimeoutMs }
  const rate = { account: `mail ${SMTP_USER ?? ''}@${SMTP_HOST}:${SMTP_PORT}`, endpoint: 'send' }
  const { SMTP_RATE: perSecond } = config
  const take = perSecond ? () => rateLimiter.take({ ...rate, perSecond }) : undefined
  return mailWithTracing(openMailer({ ...server, ...login }, MAIL_FROM.address, take, observe))
}

/** `readConfig` has checked that the settings of mail are complete. */
function mailIdentity(config: Config, links: LinkSigner) {
  const { MAIL_FROM, PUBLIC_URL, DKIM_DOMAIN: domain, DKIM_SELECTOR: selector } = config
  const privateKey = config.DKIM_PRIVATE_KEY
  const dkim = domain && selector && privateKey ? dkimSigner({ domain, selector, privateKey }) : undefined
  return { from: MAIL_FROM!, publicUrl: PUBLIC_URL!, links, dkim }
}

function registry(chat: boolean, email: boolean): ChannelRegistry {
  return {
    ...(chat && { chat: everyChannel.chat }),
    ...(email && { email: everyChannel.email }),
  }
}
