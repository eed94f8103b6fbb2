import { createPrivateKey } from 'node:crypto'
import { z } from 'zod'
import { TimeZone } from './contract/common.ts'
import { EventSource } from './contract/events/event.ts'
import { limits } from './contract/limits.ts'
import type { SigningSources } from './domain/signing-sources.ts'

const whole = z.coerce.number().int()
const webUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https URL' })
/** `Name <address>` or an address. */
const mailbox = /^(?:([^<>\r\n]*?)\s*<([^\s<>@]+@[^\s<>@]+)>|([^\s<>@]+@[^\s<>@]+))$/
const flag = z.enum(['true', 'false'], 'must be true or false').transform((text) => text === 'true')
const flagOrList = z.string().transform((text) => (text === 'true' ? true : text === 'false' ? false : text))
/** Retention in days; 0 keeps rows forever. */
const days = whole.min(0).max(36_500)
const list = z.string().transform((text) =>
  text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== ''),
)

const signingKeys = z.string().transform((text, context) => {
  const keys = readSigningKeys(text)
  if (!keys) context.addIssue('must be keyId:secret, or a comma-separated list of these with unique ids')
  return keys ?? z.NEVER
})

const signingSources = z.string().transform((text, context) => {
  const sources = readSigningSources(text)
  if (!sources)
    context.addIssue('must be keyId:source+source, or a comma-separated list of these with unique ids')
  return sources ?? z.NEVER
})

/** Origins as browsers write them: scheme, host and, unless it is the scheme's own, port. */
const origins = list.refine(
  (all) => all.every((one) => /^https?:/.test(one) && URL.canParse(one) && new URL(one).origin === one),
  'must be origins such as https://app.example.edu, without a path, separated by commas',
)
/** Host names of this machine, for which browsers trust http as well. */
const loopback = ['localhost', '127.0.0.1', '[::1]']

/** Every setting, read from the environment once. .env.example documents each one; a test keeps the two in step. */
export const Settings = z
  .object({
    DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/, error: 'must be a postgres:// URL' }),
    DB_POOL_SIZE: whole.min(2).max(500).default(20),
    TEMPORAL_ADDRESS: z
      .string()
      .regex(/^[^\s/]+:\d+$/, 'must be host:port')
      .default('127.0.0.1:7233'),
    TEMPORAL_NAMESPACE: z.string().default('default'),
    HOST: z.string().default('127.0.0.1'),
    PORT: whole.min(0).max(65_535).default(3000),
    METRICS_PORT: whole.min(0).max(65_535).optional(),
    TRUST_PROXY: flagOrList.default(false),
    EVENT_SIGNING_KEYS: signingKeys.default(new Map()),
    EVENT_SIGNING_SOURCES: signingSources.default(new Map()),
    RATE_LIMIT_PER_MINUTE: whole.min(0).max(limits.rateMax).default(60),
    RATE_LIMIT_PER_SECOND: whole.min(0).max(limits.ratePerSecondMax).default(100),
    CHAT_BASE_URL: webUrl.default('https://api.line.me'),
    CHAT_CHANNEL_TOKEN: z.string().optional(),
    CHAT_CHANNEL_SECRET: z.string().optional(),
    CHAT_LOGIN_CHANNEL_ID: z.string().optional(),
    CHAT_LOGIN_CHANNEL_SECRET: z.string().optional(),
    CHAT_LOGIN_ISSUER: z.string().default('https://access.line.me'),
    CHAT_LOGIN_JWKS_URL: webUrl.default('https://api.line.me/oauth2/v2.1/certs'),
    CHANNEL_MOCK: flag.default(false),
    QUOTA_TIME_ZONE: TimeZone.default('Asia/Taipei'),
    OUTBOUND_ALLOW: list.default([]),
    RECIPIENT_ORIGINS: origins.default([]),
    PUBLIC_URL: webUrl.transform((url) => url.replace(/\/+$/, '')).optional(),
    OIDC_ISSUER: webUrl.optional(),
    OIDC_CLIENT_ID: z.string().optional(),
    OIDC_CLIENT_SECRET: z.string().optional(),
    SECRETS_KEY: z.string().refine(isKey, 'must be 32 random bytes in base64').optional(),
    SMTP_HOST: z.string().optional(),
    SMTP_PORT: whole.min(1).max(65_535).default(587),
    SMTP_SECURITY: z.enum(['none', 'starttls', 'tls']).default('starttls'),
    SMTP_USER: z.string().optional(),
    SMTP_PASSWORD: z.string().optional(),
    EMAIL_WEBHOOK_SECRET: z.string().optional(),
    SMTP_RATE: whole.min(1).max(100_000).optional(),
    MAIL_FROM: z
      .string()
      .regex(mailbox, 'must be an address, or: Name <address>')
      .transform(readMailbox)
      .optional(),
    DKIM_DOMAIN: z.string().optional(),
    DKIM_SELECTOR: z.string().optional(),
    DKIM_PRIVATE_KEY: z
      .string()
      .transform((text) => text.replaceAll('\\n', '\n'))
      .refine(isPrivateKey, 'must be an RSA private key in PEM')
      .optional(),
    NODE_ENV: z.string().optional(),
    RETENTION_MESSAGES_DAYS: days.default(365),
    RETENTION_DELIVERIES_DAYS: days.default(730),
    RETENTION_ANSWERS_DAYS: days.default(730),
    RETENTION_EVENTS_DAYS: days.default(90),
    RETENTION_WEBHOOKS_DAYS: days.default(30),
    RETENTION_WORK_DAYS: days.default(30),
    RETENTION_AUDIT_DAYS: days.default(2_555),
    LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  })
  .superRefine(checkRelatedSettings)
export type Config = z.output<typeof Settings>

/**
 * Parses the configuration of this process. An empty value counts as unset.
 * @throws Error that names every invalid setting and never a value
 */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
  const result = Settings.safeParse(given)
  if (result.success) return result.data
  const faults = result.error.issues.map(({ path, message }) => `  ${path.join('.')}: ${message}`)
  throw new Error(`Invalid configuration (see .env.example):\n${faults.join('\n')}`)
}

/**
 * What an operator should know about a valid configuration, one sentence each; secrets are never named. Printed at the
 * start of the API and by `carillon doctor`.
 */
export function warningsOf(config: Config): string[] {
  const { EVENT_SIGNING_KEYS: keys, EVENT_SIGNING_SOURCES: sources, NODE_ENV } = config
  const unnamed = [...keys.keys()].filter((keyId) => !sources.has(keyId))
  if (NODE_ENV !== 'production' || unnamed.length === 0) return []
  return [
    `EVENT_SIGNING_SOURCES does not name ${unnamed.join(', ')}: such a key may raise events of every source. Name the ` +
      'sources of each key.',
  ]
}

/** Parsed settings, as far as the checks below read more of them than whether they are set. */
type RelatedSettings = Record<string, unknown> & {
  EVENT_SIGNING_KEYS: ReadonlyMap<string, string>
  EVENT_SIGNING_SOURCES: SigningSources
  RECIPIENT_ORIGINS: readonly string[]
}

/** Checks settings that require one another. */
function checkRelatedSettings(settings: RelatedSettings, context: z.RefinementCtx): void {
  const missing = (names: string[], why: string) => {
    for (const name of names.filter((one) => settings[one] === undefined))
      context.addIssue({ code: 'custom', path: [name], message: `is required ${why}` })
  }
  if (settings.SMTP_HOST !== undefined) missing(['MAIL_FROM', 'PUBLIC_URL', 'SECRETS_KEY'], 'to send mail')
  if (settings.SMTP_USER !== undefined) missing(['SMTP_PASSWORD'], 'with SMTP_USER')
  if (settings.CHANNEL_MOCK && settings.NODE_ENV === 'production')
    context.addIssue({
      code: 'custom',
      path: ['CHANNEL_MOCK'],
      message: 'must not be set in production',
    })
  for (const name of ['RATE_LIMIT_PER_MINUTE', 'RATE_LIMIT_PER_SECOND'])
    if (settings[name] === 0 && settings.NODE_ENV === 'production')
      context.addIssue({ code: 'custom', path: [name], message: 'must not be 0 in production' })
  const oidc = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET']
  if (oidc.some((name) => settings[name] !== undefined)) missing([...oidc, 'PUBLIC_URL'], 'to sign people in')
  if (settings.NODE_ENV === 'production' && String(settings.OIDC_ISSUER).startsWith('http:'))
    context.addIssue({
      code: 'custom',
      path: ['OIDC_ISSUER'],
      message: 'must be an https URL in production',
    })
  if (settings.NODE_ENV === 'production' && settings.RECIPIENT_ORIGINS.some(isWithoutTls))
    context.addIssue({
      code: 'custom',
      path: ['RECIPIENT_ORIGINS'],
      message: 'must be https origins in production',
    })
  const { EVENT_SIGNING_KEYS: keys, EVENT_SIGNING_SOURCES: sources } = settings
  if ([...sources.keys()].some((keyId) => !keys.has(keyId)))
    context.addIssue({
      code: 'custom',
      path: ['EVENT_SIGNING_SOURCES'],
      message: 'must name only keys of EVENT_SIGNING_KEYS',
    })
  const dkim = ['DKIM_DOMAIN', 'DKIM_SELECTOR', 'DKIM_PRIVATE_KEY']
  if (dkim.some((name) => settings[name] !== undefined)) missing(dkim, 'to sign mail')
}

function isWithoutTls(origin: string): boolean {
  const { protocol, hostname } = new URL(origin)
  return protocol === 'http:' && !loopback.includes(hostname)
}

function readMailbox(text: string): { name: string; address: string } {
  const [, name, named, alone] = mailbox.exec(text)!
  const address = named ?? alone!
  return { name: name?.replace(/^"(.*)"$/, '$1') || address, address }
}

/** `id:secret,id:secret`, split at the first colon: a secret may contain colons, an id may not. */
function readSigningKeys(text: string): Map<string, string> | undefined {
  const pairs = text.split(',').map((pair) => /^\s*([^:\s]+):\s*(\S|\S.*\S)\s*$/.exec(pair))
  const keys = new Map(pairs.map((pair) => [pair?.[1] ?? '', pair?.[2] ?? '']))
  return pairs.every((pair) => pair !== null) && keys.size === pairs.length ? keys : undefined
}

/**
 * `id:source+source,id:source`. Sources are percent-encoded as in a path, so that one may contain a plus or a comma.
 */
function readSigningSources(text: string): SigningSources | undefined {
  const pairs = text.split(',').map((pair) => /^\s*([^:\s]+):\s*(\S+)\s*$/.exec(pair))
  const named = pairs.map((pair) => [pair?.[1] ?? '', readSources(pair?.[2] ?? '')] as const)
  const sources = new Map(named)
  const valid = named.every(([, names]) => names.every((name) => EventSource.safeParse(name).success))
  if (!valid || sources.size !== pairs.length) return undefined
  return new Map(named.map(([keyId, names]) => [keyId, new Set(names)]))
}

function readSources(text: string): string[] {
  try {
    return text.split('+').map(decodeURIComponent)
  } catch {
    return [''] // no source: the setting is refused
  }
}

function isKey(text: string): boolean {
  return Buffer.from(text, 'base64').length === 32
}

function isPrivateKey(pem: string): boolean {
  try {
    return createPrivateKey(pem).asymmetricKeyType === 'rsa'
  } catch {
    return false
  }
}
