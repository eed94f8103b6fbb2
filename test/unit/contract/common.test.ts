import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DateTime, Id, TimeZone } from '../../../src/contract/common.ts'
import type { Endpoint } from '../../../src/contract/endpoint.ts'
import { endpoints } from '../../../src/contract/endpoints.ts'
import { LocalisedText } from '../../../src/contract/localised-text.ts'

const pad = (n: number, length = 2) => String(n).padStart(length, '0')
const offset = fc
  .tuple(fc.constantFrom('+', '-'), fc.integer({ min: 0, max: 14 * 60 }))
  .map(([sign, minutes]) => `${sign}${pad(Math.floor(minutes / 60))}:${pad(minutes % 60)}`)

describe('a time in a request', () => {
  it('may omit seconds and fractions, has small or capital letters, and an offset of at most 14:00', () => {
    const times = fc.record({
      at: fc.date({ min: new Date('0002-01-01'), max: new Date('9998-12-31'), noInvalidDate: true }),
      seconds: fc.boolean(),
      fraction: fc.integer({ min: 0, max: 9 }),
      t: fc.constantFrom('T', 't'),
      zone: fc.oneof(fc.constantFrom('Z', 'z'), offset),
    })
    const check = ({
      at,
      seconds,
      fraction,
      t,
      zone,
    }: typeof times extends fc.Arbitrary<infer T> ? T : never) => {
      const iso = at.toISOString()
      const fractional = fraction > 0 ? `.${'123456789'.slice(0, fraction)}` : ''
      const text = `${iso.slice(0, 10)}${t}${iso.slice(11, 16)}${seconds ? `:30${fractional}` : ''}${zone}`
      const full = `${iso.slice(0, 10)}T${iso.slice(11, 16)}:${seconds ? `30${fractional}` : '00'}${zone.toUpperCase()}`
      expect(Date.parse(DateTime.parse(text))).toBe(Date.parse(full))
    }
    fc.assert(fc.property(times, check))
  })

  it.each([
    '2026-12-01T09:00',
    '2026-12-01 09:00Z',
    '2026-12-01T09:00+0800',
    '2026-12-01T9:00Z',
    '2026-12-01T24:00Z',
    '2026-12-01T09:60Z',
    '2026-12-01T09:00.5Z',
    '2026-02-30T09:00Z',
    '2025-02-29T09:00Z',
    '2026-12-01T09:00+14:01',
    '2026-12-01T09:00-15:00',
    '2026-12-01T09:00+24:00',
    '2026-12-01T09:00:00.1234567890Z',
    '0000-12-01T09:00Z',
    '0001-01-01T00:00+01:00',
    '9999-12-31T23:59-00:01',
    '2026-12-01T09:00Zz',
    '',
  ])('%j is rejected', (text) => {
    expect(DateTime.safeParse(text).success).toBe(false)
  })
})

describe('a time zone', () => {
  it.each(['Asia/Taipei', 'asia/taipei', 'America/Argentina/Buenos_Aires', 'Etc/GMT-8', 'UTC'])(
    'may be %s',
    (name) => expect(TimeZone.safeParse(name).success).toBe(true),
  )

  it.each(['+08:00', '-05', 'IST', 'CET', 'JST', 'EST5EDT', 'SystemV/AST4', 'Mars/Olympus', 'Asia/', ''])(
    'is not %j, which Postgres reads otherwise or not at all',
    (name) => expect(TimeZone.safeParse(name).success).toBe(false),
  )
})

it('an id of ours is read in lower case', () => {
  expect(Id.parse('01939A2E-4B7C-7D10-8F3E-2A5B6C7D8E9F')).toBe('01939a2e-4b7c-7d10-8f3e-2a5b6c7d8e9f')
})

it('an empty English text counts as omitted, an empty Chinese one is rejected', () => {
  expect(LocalisedText.parse({ 'zh-TW': '好', en: '' })).toEqual({ 'zh-TW': '好' })
  expect(LocalisedText.safeParse({ 'zh-TW': '', en: 'Good' }).success).toBe(false)
})

it('no PATCH takes an empty change', () => {
  const patches = Object.entries<Endpoint>(endpoints).filter(([, { method }]) => method === 'PATCH')
  expect(patches.length).toBeGreaterThan(8)
  for (const [id, { body }] of patches) expect(body!.safeParse({}).success, id).toBe(false)
})
