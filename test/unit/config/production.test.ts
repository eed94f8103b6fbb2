import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { readConfig } from '../../../src/config.ts'

const least = { DATABASE_URL: 'postgres://carillon@127.0.0.1/carillon', NODE_ENV: 'production' }
const mail = {
  SMTP_HOST: 'mail.example.edu',
  MAIL_FROM: 'notice@example.edu',
  PUBLIC_URL: 'https://hub.example.edu',
  SECRETS_KEY: randomBytes(32).toString('base64'),
}
const secrets = [
  'CHAT_CHANNEL_TOKEN',
  'CHAT_CHANNEL_SECRET',
  'CHAT_LOGIN_CHANNEL_SECRET',
  'SMTP_PASSWORD',
  'EMAIL_WEBHOOK_SECRET',
  'AVATAR_WEBHOOK_SECRET',
]

/** The faults of these settings, in production and otherwise. */
function faultsOf(environment: NodeJS.ProcessEnv): string {
  try {
    readConfig({ ...least, ...environment })
    return ''
  } catch (error) {
    return (error as Error).message
  }
}

const warningsOf = (environment: NodeJS.ProcessEnv) => readConfig({ ...least, ...environment }).warnings

describe('production', () => {
  it('names all faults together, and they are none elsewhere', () => {
    const wrong = {
      DATABASE_URL: 'postgres://carillon:secret@db/carillon',
      RATE_LIMIT_PER_MINUTE: '0',
      RATE_LIMIT_PER_SECOND: '0',
      EVENT_SIGNING_KEYS: 'sis-2026:change-me,sis-2027:change-me-too',
      CHAT_BASE_URL: 'http://chat.example.edu',
      CHAT_CHANNEL_TOKEN: 'x',
      CHAT_LOGIN_JWKS_URL: 'http://chat.example.edu/certs',
      CHANNEL_MOCK: 'true',
      ...mail,
      SMTP_SECURITY: 'none',
      SMTP_USER: 'carillon',
      SMTP_PASSWORD: 'hT5vTz0PqzqYp8wR',
      EMAIL_WEBHOOK_SECRET: 'password',
      PUBLIC_URL: 'http://hub.example.edu',
      OIDC_ISSUER: 'http://login.example.edu',
      OIDC_CLIENT_ID: 'carillon',
      OIDC_CLIENT_SECRET: 'secretsecretsecret',
      SECRETS_KEY: Buffer.alloc(32).toString('base64'),
    }
    const rejected = [
      'DATABASE_URL',
      'RATE_LIMIT_PER_MINUTE',
      'RATE_LIMIT_PER_SECOND',
      'EVENT_SIGNING_KEYS',
      'CHAT_BASE_URL',
      'CHAT_CHANNEL_TOKEN',
      'CHAT_LOGIN_JWKS_URL',
      'CHANNEL_MOCK',
      'EMAIL_WEBHOOK_SECRET',
      'PUBLIC_URL',
      'OIDC_ISSUER',
      'OIDC_CLIENT_SECRET',
      'SECRETS_KEY',
      'SMTP_SECURITY',
    ]
    const named = [...faultsOf(wrong).matchAll(/^ {2}([A-Z_]+) .*\. .*\.$/gm)].map(([, name]) => name)
    expect(named).toEqual(rejected)
    for (const NODE_ENV of ['', 'development', 'test']) expect(faultsOf({ ...wrong, NODE_ENV })).toBe('')
    for (const name of ['NODE_ENV', ...rejected])
      expect(faultsOf({ ...wrong, NODE_ENV: 'prod' })).toContain(`\n  ${name} `)
  })

  it.each([
    'change-me',
    'CHANGE_ME_PLEASE_NOW_OR_LATER',
    'x',
    'aaaaaaaaaaaaaaaaaaaaaaaa',
    'abcabcabcabcabcabcabc',
  ])('rejects %s as a secret', (weak) => {
    for (const name of secrets) expect(faultsOf({ [name]: weak, SMTP_USER: '' }), name).toContain(`${name} `)
    expect(faultsOf({ EVENT_SIGNING_KEYS: `sis:${weak}` })).toContain('the secret of the key sis ')
    expect(faultsOf({ DATABASE_URL: `postgres://carillon:${weak}@db/carillon` })).toContain('password')
    expect(faultsOf({ DATABASE_URL: `postgres://db/carillon?password=${weak}` })).toContain('password')
  })

  it.each(['secret-password-12', '0123456789abcdef', '0123456789', 'carillon-secret', '<your secret here>'])(
    'rejects %s as a secret that operators make',
    (weak) => {
      expect(faultsOf({ EMAIL_WEBHOOK_SECRET: weak })).toContain('EMAIL_WEBHOOK_SECRET ')
      expect(faultsOf({ EVENT_SIGNING_KEYS: `sis:${weak}` })).toContain('EVENT_SIGNING_KEYS ')
    },
  )

  it('accepts random secrets and keys', () => {
    for (let round = 0; round < 300; round++)
      for (const spelling of ['hex', 'base64', 'base64url'] as const) {
        const secret = randomBytes(16).toString(spelling)
        const values = Object.fromEntries(secrets.map((name) => [name, secret]))
        const SECRETS_KEY = randomBytes(32).toString('base64')
        const others = { AVATAR_UNIT: 'Admissions', EVENT_SIGNING_KEYS: `sis:${secret}`, SECRETS_KEY }
        expect(faultsOf({ ...values, ...others })).toBe('')
      }
  })

  it.each([
    ['zeros', Buffer.alloc(32)],
    ['one repeated byte', Buffer.alloc(32, 'k')],
    ['a repeated pattern', Buffer.alloc(32, 'key')],
    ['bytes that count', Buffer.from(Array.from({ length: 32 }, (_, at) => at))],
    ['a text', Buffer.from('change-me-change-me-change-me-32')],
  ])('rejects a SECRETS_KEY of %s', (_what, key) => {
    expect(faultsOf({ SECRETS_KEY: key.toString('base64') })).toContain('SECRETS_KEY ')
  })

  it.each(['PUBLIC_URL', 'CHAT_LOGIN_JWKS_URL', 'CHAT_BASE_URL'])(
    'takes %s without encryption for this machine only, with a warning',
    (name) => {
      for (const host of [
        'localhost',
        'localhost:3000',
        'api.localhost',
        '127.0.0.1:3000',
        '127.9.9.9',
        '[::1]',
      ]) {
        expect(warningsOf({ [name]: `http://${host}/` })).toEqual([
          expect.stringContaining(`${name} is not encrypted`),
        ])
      }
      for (const host of [
        'hub.example.edu',
        'localhost.example.edu',
        '10.0.0.1',
        '0.0.0.0',
        '[fd00::1]',
        '128.0.0.1',
      ])
        expect(faultsOf({ [name]: `http://${host}/` }), host).toContain(`${name} is an http address`)
      expect(warningsOf({ [name]: 'https://hub.example.edu' })).toEqual([])
    },
  )

  it('sends a password to another mail server only over TLS, and warns of mails without', () => {
    const login = { ...mail, SMTP_USER: 'carillon', SMTP_PASSWORD: 'hT5vTz0PqzqYp8wR' }
    expect(faultsOf({ ...login, SMTP_SECURITY: 'none' })).toContain(
      'SMTP_SECURITY is none, which sends SMTP_PASSWORD',
    )
    const warned = [expect.stringContaining('SMTP_SECURITY is none')]
    expect(warningsOf({ ...login, SMTP_SECURITY: 'none', SMTP_HOST: 'localhost' })).toEqual(warned)
    expect(warningsOf({ ...mail, SMTP_SECURITY: 'none' })).toEqual(warned)
    for (const SMTP_SECURITY of ['starttls', 'tls', ''])
      expect(warningsOf({ ...login, SMTP_SECURITY })).toEqual([])
  })

  it('warns of a proxy setting that believes everybody', () => {
    expect(warningsOf({ TRUST_PROXY: 'true' })).toEqual([
      expect.stringMatching(/^TRUST_PROXY is true: .*\.$/),
    ])
    for (const TRUST_PROXY of ['1', '10.0.0.1', 'false']) expect(warningsOf({ TRUST_PROXY })).toEqual([])
  })

  it('warns of signing keys that may raise every source; it names no secret', () => {
    const [first, second] = [randomBytes(16).toString('hex'), randomBytes(16).toString('hex')]
    const warnings = (environment: object) =>
      warningsOf({ EVENT_SIGNING_KEYS: `a:${first},b:${second}`, ...environment })
    expect(warnings({})).toEqual([expect.stringMatching(/does not name a, b:/)])
    expect(warnings({})[0]).not.toContain(first)
    expect(warnings({ EVENT_SIGNING_SOURCES: 'a:sis' })).toEqual([expect.stringMatching(/does not name b:/)])
    expect(warnings({ EVENT_SIGNING_SOURCES: 'a:sis,b:sis' })).toEqual([])
    expect(warnings({ NODE_ENV: '' })).toEqual([])
  })

  it('limits the rate of callers to what a window can hold', () => {
    for (const [name, usual, most] of [
      ['RATE_LIMIT_PER_MINUTE', 60, 600],
      ['RATE_LIMIT_PER_SECOND', 100, 10_000],
    ] as const) {
      const limit = (text: string, NODE_ENV = 'production') =>
        readConfig({ ...least, [name]: text, NODE_ENV })[name]
      expect([limit(''), limit(String(most)), limit('0', 'test')]).toEqual([usual, most, 0])
      for (const wrong of [String(most + 1), '-1', '0']) expect(() => limit(wrong), wrong).toThrow(name)
    }
  })
})
