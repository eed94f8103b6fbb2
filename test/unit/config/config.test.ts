import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readConfig, Settings, warningsOf } from '../../../src/config.ts'

const least = { DATABASE_URL: 'postgres://carillon:secret@127.0.0.1/carillon' }

describe('the configuration', () => {
  it('needs a database and nothing else', () => {
    expect(readConfig(least)).toMatchObject({
      HOST: '127.0.0.1',
      QUOTA_TIME_ZONE: 'Asia/Taipei',
      TRUST_PROXY: false,
    })
  })

  it('counts an empty value as unset', () => {
    expect(readConfig({ ...least, PORT: '', CHAT_CHANNEL_TOKEN: '' })).toMatchObject({ PORT: 3000 })
  })

  it('names all faults together, and no value', () => {
    const wrong = {
      DATABASE_URL: 'mysql://secret',
      PORT: 'secret',
      QUOTA_TIME_ZONE: 'Secret/Nowhere',
      LOG_LEVEL: 'secret',
    }
    const read = () => readConfig(wrong)
    for (const name of Object.keys(wrong)) expect(read).toThrow(name)
    expect(read).not.toThrow(/secret/i)
  })

  it('splits signing keys at their first colon, and rejects duplicate ids', () => {
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

  it('reads the sources of signing keys, percent-encoded, for keys that there are', () => {
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

  it('warns, in production, of signing keys that may raise every source; it names no secret', () => {
    const warnings = (environment: object) =>
      warningsOf(readConfig({ ...least, EVENT_SIGNING_KEYS: 'a:hush,b:hush', ...environment }))
    const production = { NODE_ENV: 'production' }
    expect(warnings(production)).toEqual([expect.stringMatching(/names? a, b:/)])
    expect(warnings(production)[0]).not.toContain('hush')
    expect(warnings({ ...production, EVENT_SIGNING_SOURCES: 'a:sis' })).toEqual([
      expect.stringMatching(/name b:/),
    ])
    expect(warnings({ ...production, EVENT_SIGNING_SOURCES: 'a:sis,b:sis' })).toEqual([])
    expect(warnings({})).toEqual([])
  })

  it('limits the rate of callers to what a window can hold, and always in production', () => {
    const limit =
      (RATE_LIMIT_PER_MINUTE: string, NODE_ENV = 'test') =>
      () =>
        readConfig({ ...least, RATE_LIMIT_PER_MINUTE, NODE_ENV }).RATE_LIMIT_PER_MINUTE
    expect([limit('')(), limit('600')(), limit('0')()]).toEqual([60, 600, 0])
    for (const wrong of [limit('601'), limit('-1'), limit('0', 'production')])
      expect(wrong).toThrow('RATE_LIMIT_PER_MINUTE')
    const bucket =
      (RATE_LIMIT_PER_SECOND: string, NODE_ENV = 'test') =>
      () =>
        readConfig({ ...least, RATE_LIMIT_PER_SECOND, NODE_ENV }).RATE_LIMIT_PER_SECOND
    expect([bucket('')(), bucket('10000')(), bucket('0')()]).toEqual([100, 10_000, 0])
    for (const wrong of [bucket('10001'), bucket('-1'), bucket('0', 'production')])
      expect(wrong).toThrow('RATE_LIMIT_PER_SECOND')
  })

  it('takes origins as browsers write them, in production with TLS', () => {
    const origins =
      (RECIPIENT_ORIGINS: string, NODE_ENV = 'test') =>
      () =>
        readConfig({ ...least, RECIPIENT_ORIGINS, NODE_ENV }).RECIPIENT_ORIGINS
    const two = 'https://app.example.edu, https://other.example.edu:8443'
    expect(origins('')()).toEqual([])
    expect(origins(two, 'production')()).toEqual([
      'https://app.example.edu',
      'https://other.example.edu:8443',
    ])
    expect(origins('http://127.0.0.1:5173', 'production')()).toEqual(['http://127.0.0.1:5173'])
    for (const wrong of [
      origins('*'),
      origins('app.example.edu'),
      origins('https://app.example.edu/'),
      origins('https://App.example.edu'),
      origins('ftp://app.example.edu'),
      origins('http://app.example.edu', 'production'),
    ])
      expect(wrong).toThrow('RECIPIENT_ORIGINS')
  })

  it('ignores other variables of the environment', () => {
    expect(readConfig({ ...least, HOME: '/root' })).not.toHaveProperty('HOME')
  })
})

describe('.env.example', () => {
  const lines = readFileSync(resolve(import.meta.dirname, '../../../.env.example'), 'utf8').split('\n')
  const shown = lines.flatMap((line) => {
    const [, hidden, name, value] = /^(#?)([A-Z][A-Z_]+)=(.*)$/.exec(line) ?? []
    return name === undefined ? [] : [{ name, value: value!, hidden: hidden === '#' }]
  })

  it('names every setting, once, and no other', () => {
    expect(shown.map(({ name }) => name).sort()).toEqual(Object.keys(Settings.shape).sort())
  })

  it('shows the default of what may be left out', () => {
    const defaults: Record<string, unknown> = readConfig(least)
    for (const { name, value } of shown.filter(({ hidden }) => hidden))
      expect(value).toBe(String(defaults[name]))
  })

  it('can be used as it is', () => {
    const given = shown.filter(({ hidden }) => !hidden).map(({ name, value }) => [name, value])
    expect(() => readConfig(Object.fromEntries(given))).not.toThrow()
  })
})
