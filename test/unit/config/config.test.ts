import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { settings } from '../../../src/config/settings.ts'
import { readConfig } from '../../../src/config.ts'
import { makeAuthority } from '../../fixtures/certificates.ts'

const least = { DATABASE_URL: 'postgres://carillon@127.0.0.1/carillon' }

const secrets = Object.entries(settings).flatMap(([name, { secret }]) => (secret ? [name] : []))

/** The lines of the error, each with one fault. */
function faultsOf(environment: NodeJS.ProcessEnv): string[] {
  try {
    readConfig(environment)
    return []
  } catch (error) {
    const [title, ...lines] = (error as Error).message.split('\n')
    expect(title).toBe('Invalid configuration (see docs/settings.md):')
    return lines.map((line) => line.trim())
  }
}

describe('the configuration', () => {
  it('needs a database and nothing else', () => {
    expect(readConfig(least)).toMatchObject({
      HOST: '127.0.0.1',
      QUOTA_TIME_ZONE: 'Asia/Taipei',
      TRUST_PROXY: false,
      EVENT_SIGNING_KEYS: new Map(),
      OUTBOUND_ALLOW: [],
    })
  })

  it('counts an empty value as unset', () => {
    expect(readConfig({ ...least, PORT: '', CHAT_CHANNEL_TOKEN: '' })).toMatchObject({ PORT: 3000 })
  })

  it('names all faults together, each with what came and what to write', () => {
    const wrong = {
      DB_POOL_SIZE: '1',
      TEMPORAL_ADDRESS: 'temporal',
      PORT: 'three thousand',
      CHAT_BASE_URL: 'api.line.me',
      CHANNEL_MOCK: 'yes',
      MAIL_FROM: 'notice',
      QUOTA_TIME_ZONE: 'Asia/Taibei',
      NODE_ENV: 'prod',
      LOG_LEVEL: 'loud',
    }
    expect(faultsOf(wrong)).toEqual([
      'DB_POOL_SIZE is "1". Write a whole number from 2 to 500.',
      'TEMPORAL_ADDRESS is "temporal". Write host:port.',
      'PORT is "three thousand". Write a whole number from 0 to 65535.',
      'CHAT_BASE_URL is "api.line.me". Write an address that begins with https:// or http://.',
      'CHANNEL_MOCK is "yes". Write true or false.',
      'MAIL_FROM is "notice". Write an address, or: Name <address>.',
      'QUOTA_TIME_ZONE is "Asia/Taibei". Write an IANA time zone name of an area and a place, such as Asia/Taipei, or UTC.',
      'NODE_ENV is "prod". Write one of production, development, test.',
      'LOG_LEVEL is "loud". Write one of fatal, error, warn, info, debug, trace, silent.',
      'DATABASE_URL is missing. Write an address that begins with postgres://, such as ' +
        'postgres://carillon@127.0.0.1:5432/carillon.',
    ])
  })

  it('names what others need', () => {
    const faults = faultsOf({
      ...least,
      SMTP_HOST: 'mail',
      SMTP_USER: 'me',
      OIDC_CLIENT_ID: 'x',
      DKIM_DOMAIN: 'x',
    })
    expect(faults.map((fault) => fault.split('.')[0])).toEqual([
      'SMTP_PASSWORD is missing, and SMTP_USER needs it',
      'MAIL_FROM is missing, and SMTP_HOST needs it',
      'DKIM_SELECTOR is missing, and DKIM_DOMAIN needs it',
      'DKIM_PRIVATE_KEY is missing, and DKIM_DOMAIN needs it',
      'PUBLIC_URL is missing, and SMTP_HOST needs it',
      'OIDC_ISSUER is missing, and OIDC_CLIENT_ID needs it',
      'OIDC_CLIENT_SECRET is missing, and OIDC_CLIENT_ID needs it',
      'SECRETS_KEY is missing, and SMTP_HOST needs it',
    ])
  })

  it('never shows a secret, whatever was written where', () => {
    const secret = 'Wm8q/ZrT5vTz0PqzqYp8wRk='
    fc.assert(
      fc.property(fc.subarray(secrets), fc.constantFrom('', '_FILE'), (names, suffix) => {
        const values = Object.fromEntries(names.map((name) => [`${name}${suffix}`, secret]))
        expect(faultsOf({ ...values, NODE_ENV: 'production' }).join()).not.toContain(secret)
      }),
    )
    const misplaced = {
      EVENT_SIGNING_SOURCES: secret,
      CHAT_BASE_URL: `ftp://user:${secret}@chat`,
      TEMPORAL_ADDRESS: `user:${secret}@temporal`,
    }
    expect(faultsOf({ ...least, ...misplaced })).toHaveLength(3)
    expect(faultsOf({ ...least, ...misplaced }).join()).not.toContain(secret)
  })

  it('uses no words of the library that checks, and shows the beginning of a long value only', () => {
    for (const text of ['x', '-1', '1.5', '99999999', '{}', 'null', ' ']) {
      const values = Object.fromEntries(Object.keys(settings).map((name) => [name, text]))
      expect(faultsOf(values).join()).not.toMatch(/expected|received|invalid|string|NaN|undefined|too_/i)
    }
    expect(faultsOf({ ...least, PORT: '1'.repeat(10_000) })[0]!.length).toBeLessThan(200)
  })

  it('takes addresses as they are written, except for the slashes at the end of PUBLIC_URL', () => {
    const signIn = { OIDC_ISSUER: 'https://login/realms/a/', OIDC_CLIENT_ID: 'x', OIDC_CLIENT_SECRET: 'x' }
    expect(readConfig({ ...least, ...signIn, PUBLIC_URL: 'https://hub/sub//' })).toMatchObject({
      OIDC_ISSUER: 'https://login/realms/a/',
      PUBLIC_URL: 'https://hub/sub',
    })
  })

  it('ignores other variables of the environment', () => {
    expect(readConfig({ ...least, HOME: '/root' })).not.toHaveProperty('HOME')
  })
})

describe('a secret as a file', () => {
  function fileOf(text: string): string {
    const folder = mkdtempSync(join(tmpdir(), 'carillon-secret-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    writeFileSync(join(folder, 'secret'), text)
    return join(folder, 'secret')
  }

  it.each(secrets)('may be %s', (name) => {
    expect(faultsOf({ ...least, [name]: '', [`${name}_FILE`]: '/nowhere/at/all' })).toContain(
      `${name}_FILE names a file that does not exist. Write the path of a file that holds the secret and that this ` +
        'process may read.',
    )
  })

  it('is read without the line breaks at its end', () => {
    for (const text of ['hush', 'hush\n', 'hush\r\n', 'hush\n\n'])
      expect(readConfig({ ...least, CHAT_CHANNEL_SECRET_FILE: fileOf(text) }).CHAT_CHANNEL_SECRET).toBe(
        'hush',
      )
    const DATABASE_URL_FILE = fileOf('postgres://carillon@db/carillon\n')
    expect(readConfig({ DATABASE_URL_FILE }).DATABASE_URL).toBe('postgres://carillon@db/carillon')
  })

  it('is rejected if the variable is set too, the file is empty or is a directory', () => {
    const CHAT_CHANNEL_TOKEN_FILE = fileOf('hush')
    expect(faultsOf({ ...least, CHAT_CHANNEL_TOKEN: 'hush', CHAT_CHANNEL_TOKEN_FILE })).toEqual([
      'CHAT_CHANNEL_TOKEN and CHAT_CHANNEL_TOKEN_FILE are both set. Set one of them, and leave the other out.',
    ])
    expect(faultsOf({ ...least, CHAT_CHANNEL_TOKEN_FILE: fileOf('\n') })).toEqual([
      'CHAT_CHANNEL_TOKEN_FILE names an empty file. Write the secret, and nothing else, into that file.',
    ])
    expect(faultsOf({ ...least, CHAT_CHANNEL_TOKEN_FILE: tmpdir() })[0]).toContain('names a directory')
  })

  it('is judged as one in the environment, under the name of its variable', () => {
    expect(faultsOf({ ...least, SECRETS_KEY_FILE: fileOf('hush') })).toEqual([
      'SECRETS_KEY_FILE has a value of another form, which is not shown here. Write 32 random bytes in base64, the ' +
        'output of: openssl rand -base64 32.',
    ])
    const CHAT_CHANNEL_TOKEN_FILE = fileOf('change-me')
    expect(faultsOf({ ...least, CHAT_CHANNEL_TOKEN_FILE, NODE_ENV: 'production' })[0]).toMatch(
      /^CHAT_CHANNEL_TOKEN_FILE is a placeholder\./,
    )
  })
})

describe('the keys of events', () => {
  it('are split at their first colon; duplicate ids are rejected', () => {
    const keysOf = (EVENT_SIGNING_KEYS: string) => [
      ...readConfig({ ...least, EVENT_SIGNING_KEYS }).EVENT_SIGNING_KEYS,
    ]
    expect(keysOf('a:x:y=, b:z')).toEqual([
      ['a', 'x:y='],
      ['b', 'z'],
    ])
    expect(keysOf('')).toEqual([])
    for (const wrong of ['hush', 'a:', ':hush', 'a:hush,', 'a:hush,a:hush'])
      expect(() => keysOf(wrong), wrong).toThrow(/EVENT_SIGNING_KEYS(?!.*hush)/)
  })

  it('have sources, percent-encoded, if there are such keys', () => {
    const sourcesOf = (EVENT_SIGNING_SOURCES: string) => [
      ...readConfig({ ...least, EVENT_SIGNING_KEYS: 'a:x,b:y', EVENT_SIGNING_SOURCES }).EVENT_SIGNING_SOURCES,
    ]
    expect(sourcesOf('a:sis+library, b:a%2Bb%2C:c')).toEqual([
      ['a', new Set(['sis', 'library'])],
      ['b', new Set(['a+b,:c'])],
    ])
    expect(sourcesOf('')).toEqual([])
    for (const wrong of [
      'hush',
      'a:',
      ':hush',
      'a:hush,',
      'a:hush+',
      'a:hush,a:hush',
      'a:%zz',
      'a:%2F',
      'c:hush',
    ])
      expect(() => sourcesOf(wrong), wrong).toThrow(/EVENT_SIGNING_SOURCES(?!.*hush)/)
  })
})

describe('the proxies that are trusted', () => {
  const trustOf = (TRUST_PROXY: string) => readConfig({ ...least, TRUST_PROXY }).TRUST_PROXY

  it('are a number of them, their addresses and networks, all or none', () => {
    expect(['false', 'true', '1', '10'].map(trustOf)).toEqual([false, true, 1, 10])
    const ranges = ['10.0.0.1', '10.0.0.0/8', '::1', 'fd00::/8', 'loopback', 'uniquelocal']
    expect(trustOf(ranges.join(', '))).toEqual(ranges)
  })

  it.each([
    '0',
    '11',
    '-1',
    'yes',
    'proxy.example.edu',
    '10.1',
    '10.0.0.1/0',
    '10.0.0.1/33',
    '10.0.0.0/8/8',
    '::1/129',
    ',',
  ])('are not %s', (wrong) => expect(() => trustOf(wrong)).toThrow('TRUST_PROXY is'))
})

describe('further secret keys', () => {
  it('are accepted only beside SECRETS_KEY', () => {
    const [now, old] = ['n', 'o'].map((letter) => btoa(letter.repeat(32)))
    const keys = { ...least, SECRETS_KEY: now, SECRETS_KEYS_ACCEPTED: `${old}, ${now}` }
    expect(readConfig(keys).SECRETS_KEYS_ACCEPTED).toEqual([old, now])
    expect(readConfig(least).SECRETS_KEYS_ACCEPTED).toEqual([])
    expect(faultsOf({ ...keys, SECRETS_KEY: '' })).toEqual([expect.stringMatching(/^SECRETS_KEY /)])
    expect(faultsOf({ ...keys, SECRETS_KEYS_ACCEPTED: `${old},hush` })).toEqual([
      expect.stringMatching(/^SECRETS_KEYS_ACCEPTED (?!.*hush)/),
    ])
  })
})

describe('the connection to Temporal', () => {
  it('takes certificates and keys only with TLS, in pairs that match', () => {
    const authority = makeAuthority('ours')
    const [own, other] = [authority.issue('carillon'), authority.issue('other')]
    const tls = { ...least, TEMPORAL_TLS: 'true', TEMPORAL_TLS_CA: authority.certificate }
    const pair = { TEMPORAL_TLS_CERT: own.certificate, TEMPORAL_TLS_KEY: own.key.replaceAll('\n', '\\n') }
    expect(readConfig({ ...tls, ...pair, TEMPORAL_API_KEY: 'hush' })).toMatchObject({
      TEMPORAL_TLS_KEY: own.key,
    })
    const faults: [NodeJS.ProcessEnv, RegExp][] = [
      [{ ...tls, TEMPORAL_TLS: '' }, /^TEMPORAL_TLS_CA is set without TEMPORAL_TLS=true/],
      [{ ...least, TEMPORAL_API_KEY: 'hush' }, /^TEMPORAL_API_KEY is set without TEMPORAL_TLS=true/],
      [{ ...tls, TEMPORAL_API_KEY: 'hu\nsh' }, /^TEMPORAL_API_KEY .*ASCII/],
      [{ ...tls, TEMPORAL_TLS_CA: 'hush' }, /^TEMPORAL_TLS_CA .*certificates in PEM/],
      [{ ...tls, ...pair, TEMPORAL_TLS_KEY: 'hush' }, /^TEMPORAL_TLS_KEY .*private key in PEM/],
      [{ ...tls, ...pair, TEMPORAL_TLS_KEY: '' }, /^TEMPORAL_TLS_KEY /],
      [{ ...tls, ...pair, TEMPORAL_TLS_CERT: '' }, /^TEMPORAL_TLS_CERT /],
      [{ ...tls, ...pair, TEMPORAL_TLS_KEY: other.key }, /^TEMPORAL_TLS_KEY is not the key of/],
    ]
    for (const [environment, fault] of faults) {
      const [named] = faultsOf(environment)
      expect(named).toMatch(fault)
      expect(named).not.toMatch(/hu\n?sh|PRIVATE/)
    }
  })
})

describe('origins of pages for recipients', () => {
  const originsOf = (RECIPIENT_ORIGINS: string, NODE_ENV = 'test') =>
    readConfig({ ...least, RECIPIENT_ORIGINS, NODE_ENV }).RECIPIENT_ORIGINS

  it('are written as browsers do', () => {
    const two = 'https://app.example.edu, https://other.example.edu:8443'
    expect(originsOf('')).toEqual([])
    expect(originsOf(two)).toEqual(two.split(', '))
    for (const wrong of [
      '*',
      'app.example.edu',
      'https://app.example.edu/',
      'https://App.example.edu',
      'ftp://a.example.edu',
    ])
      expect(() => originsOf(wrong), wrong).toThrow('RECIPIENT_ORIGINS')
  })

  it('have TLS in production, except on this machine', () => {
    const faults = (RECIPIENT_ORIGINS: string) =>
      faultsOf({ ...least, RECIPIENT_ORIGINS, NODE_ENV: 'production' }).filter((one) =>
        /^RECIPIENT/.test(one),
      )
    expect(faults('https://app.example.edu,http://127.0.0.1:5173')).toEqual([])
    expect(faults('https://app.example.edu,http://app.example.edu')).toHaveLength(1)
  })
})
