import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type QuietPeriod, quietHoursEnd } from '../../../src/domain/message/quiet-hours.ts'

const at = (time: string) => Date.parse(time)
const nights: QuietPeriod = { hours: { from: '22:00', to: '07:30' }, timeZone: 'Asia/Taipei' }

describe('quiet hours', () => {
  it.each([
    ['2026-11-20T21:59:59+08:00', null],
    ['2026-11-20T22:00:00+08:00', '2026-11-21T07:30:00+08:00'],
    ['2026-11-21T03:15:42+08:00', '2026-11-21T07:30:00+08:00'],
    ['2026-11-21T07:29:59+08:00', '2026-11-21T07:30:00+08:00'],
    ['2026-11-21T07:30:00+08:00', null],
  ])('at %s end at %s', (now, end) => {
    expect(quietHoursEnd(nights, at(now))).toBe(end && at(end))
  })

  it('within a day start and end on that day', () => {
    const lunch = { ...nights, hours: { from: '12:00', to: '13:00' } }
    expect(quietHoursEnd(lunch, at('2026-11-21T12:30:00+08:00'))).toBe(at('2026-11-21T13:00:00+08:00'))
    expect(quietHoursEnd(lunch, at('2026-11-21T13:00:00+08:00'))).toBeNull()
  })

  it('that start when they end have no effect', () => {
    const none = { ...nights, hours: { from: '08:00', to: '08:00' } }
    expect(quietHoursEnd(none, at('2026-11-21T08:00:00+08:00'))).toBeNull()
  })

  it('follow the local clock when it changes', () => {
    const berlin = { hours: { from: '22:00', to: '06:00' }, timeZone: 'Europe/Berlin' }
    expect(quietHoursEnd(berlin, at('2026-03-28T23:00:00+01:00'))).toBe(at('2026-03-29T06:00:00+02:00'))
    expect(quietHoursEnd(berlin, at('2026-10-24T23:00:00+02:00'))).toBe(at('2026-10-25T06:00:00+01:00'))
  })

  it('whose end the local clock skips end with the skip', () => {
    const skipped = { hours: { from: '22:00', to: '02:30' }, timeZone: 'Europe/Berlin' }
    const end = quietHoursEnd(skipped, at('2026-03-29T01:00:00+01:00'))!
    expect(end).toBeGreaterThanOrEqual(at('2026-03-29T03:00:00+02:00'))
    expect(end).toBeLessThanOrEqual(at('2026-03-29T03:30:00+02:00'))
  })

  it('end at the configured time, for all hours, zones and instants', () => {
    const time = fc
      .integer({ min: 0, max: 24 * 60 - 1 })
      .map((n) => new Date(n * 60_000).toISOString().slice(11, 16))
    const zone = fc.constantFrom(
      'Asia/Taipei',
      'Europe/Berlin',
      'America/New_York',
      'Australia/Lord_Howe',
      'Asia/Kathmandu',
    )
    const moment = fc.integer({ min: at('2026-01-01T00:00:00Z'), max: at('2027-12-31T00:00:00Z') })
    fc.assert(
      fc.property(time, time, zone, moment, (from, to, timeZone, now) => {
        const quiet = { hours: { from, to }, timeZone }
        const end = quietHoursEnd(quiet, now)
        if (end === null) return
        expect(end).toBeGreaterThan(now)
        expect(end - now).toBeLessThanOrEqual(25 * 3_600_000)
      }),
    )
  })
})
