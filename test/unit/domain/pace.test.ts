import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { paceForecast, paceWarnings, secondsEach } from '../../../src/domain/message/pace.ts'
import { type QuietPeriod, quietHoursEnd } from '../../../src/domain/message/quiet-hours.ts'

const at = (time: string) => Date.parse(time)
const nights: QuietPeriod = { hours: { from: '22:00', to: '07:00' }, timeZone: 'Asia/Taipei' }
const evening = at('2026-11-20T21:00:00+08:00')

describe('the forecast of a pace', () => {
  it('names the moment of the last one, the first going at once', () => {
    expect(paceForecast({ perMinute: 60 }, { deliveries: 61, start: evening, quiet: null })).toEqual({
      perMinute: 60,
      lastAt: '2026-11-20T13:01:00.000Z',
    })
  })

  it('spreads all of them over the given time', () => {
    const forecast = paceForecast({ overSeconds: 3_600 }, { deliveries: 36, start: evening, quiet: null })
    expect(forecast).toEqual({ perMinute: 1, lastAt: '2026-11-20T13:58:20.000Z' })
  })

  it('leaves out the quiet hours', () => {
    const slow = { deliveries: 121, start: evening, quiet: nights }
    expect(paceForecast({ perMinute: 1 }, slow).lastAt).toBe('2026-11-21T00:00:00.000Z')
    expect(paceForecast({ perMinute: 1 }, { ...slow, start: evening + 2 * 3_600_000 }).lastAt).toBe(
      '2026-11-21T01:00:00.000Z',
    )
  })

  it('is at once for nobody and for one', () => {
    for (const deliveries of [0, 1])
      expect(paceForecast({ perMinute: 1 }, { deliveries, start: evening, quiet: null }).lastAt).toBe(
        new Date(evening).toISOString(),
      )
  })

  it('never ends in quiet hours, and takes as long outside of them as without them', () => {
    const minute = 60_000
    fc.assert(
      fc.property(fc.nat(1_440), fc.integer({ min: 1, max: 900 }), (begin, deliveries) => {
        const start = evening + begin * minute
        const { lastAt } = paceForecast({ perMinute: 1 }, { deliveries, start, quiet: nights })
        const open = (moment: number) => quietHoursEnd(nights, moment) === null
        const last = at(lastAt)
        let counted = 0
        for (let moment = start; moment < last; moment += minute) counted += open(moment) ? 1 : 0
        expect(counted).toBe(deliveries - 1)
        expect(open(last) || open(last - minute)).toBe(true)
      }),
      { numRuns: 20 },
    )
  })
})

it('a pace that is too slow for the other times is warned of', () => {
  const forecast = paceForecast({ perMinute: 1 }, { deliveries: 61, start: evening, quiet: null })
  const last = at(forecast.lastAt)
  const codes = (expiresAt: number | null, remindAt: number | null) =>
    paceWarnings(forecast, { expiresAt, remindAt }).map(({ code }) => code)
  expect(codes(null, null)).toEqual([])
  expect(codes(last + 1, last + 1)).toEqual([])
  expect(codes(last, last)).toEqual(['pace_past_expiry', 'pace_past_reminder'])
})

it('seconds from one to the next come from either form', () => {
  expect(secondsEach({ perMinute: 30 }, 7)).toBe(2)
  expect(secondsEach({ overSeconds: 600 }, 60)).toBe(10)
  expect(secondsEach({ overSeconds: 600 }, 0)).toBe(600)
})
