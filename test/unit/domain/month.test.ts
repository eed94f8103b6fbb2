import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { monthOf } from '../../../src/domain/lib/month.ts'

describe('the month of a send', () => {
  it.each([
    ['2026-11-30T15:59:59.999Z', 'Asia/Taipei', '2026-11-01'],
    ['2026-11-30T16:00:00.000Z', 'Asia/Taipei', '2026-12-01'],
    ['2026-12-31T16:00:00.000Z', 'Asia/Taipei', '2027-01-01'],
    ['2027-01-01T07:59:59.999Z', 'America/Los_Angeles', '2026-12-01'],
    ['2026-03-01T00:00:00.000Z', 'UTC', '2026-03-01'],
    // Summer time began on the last day of March: April starts an hour earlier in UTC.
    ['2024-03-31T21:59:59.999Z', 'Europe/Berlin', '2024-03-01'],
    ['2024-03-31T22:00:00.000Z', 'Europe/Berlin', '2024-04-01'],
  ])('%s in %s is counted in %s', (instant, timeZone, month) => {
    expect(monthOf(new Date(instant), timeZone)).toBe(month)
  })

  it('is the first day of a month, as Postgres reads it, for any instant and time zone', () => {
    const zones = ['UTC', 'Asia/Taipei', 'America/St_Johns', 'Pacific/Kiritimati', 'Pacific/Pago_Pago']
    const instants = fc.date({
      min: new Date('1970-01-02'),
      max: new Date('2999-12-01'),
      noInvalidDate: true,
    })
    fc.assert(
      fc.property(instants, fc.constantFrom(...zones), (instant, timeZone) => {
        const month = monthOf(instant, timeZone)
        expect(month).toMatch(/^\d{4}-(0[1-9]|1[0-2])-01$/)
        const away = Math.abs(Date.parse(month) + 15 * 86_400_000 - instant.getTime())
        expect(away).toBeLessThan(18 * 86_400_000)
      }),
    )
  })

  it('requires an existing time zone', () => {
    expect(() => monthOf(new Date(0), 'Asia/Nowhere')).toThrow(RangeError)
  })
})
