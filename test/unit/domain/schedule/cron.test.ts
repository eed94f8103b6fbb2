import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cronIssue, occurrencesAfter, shortestPauseMinutes } from '../../../../src/domain/schedule/cron.ts'
import { wallOf } from '../../../../src/domain/schedule/wall-time.ts'

function first(count: number, cron: string, timeZone: string, after: number): number[] {
  const times: number[] = []
  for (const at of occurrencesAfter({ cron, timeZone }, after)) {
    times.push(at)
    if (times.length >= count) break
  }
  return times
}

function occurrences(cron: string, timeZone: string, after: string, count: number): string[] {
  return first(count, cron, timeZone, Date.parse(after)).map((at) => new Date(at).toISOString().slice(0, 16))
}

describe('when the clocks go back', () => {
  it.each(['0,30 2 * * *', '*/30 2 * * *'])('%s occurs twice a night, that night too', (cron) => {
    expect(occurrences(cron, 'Europe/Berlin', '2026-10-24T12:00Z', 4)).toEqual([
      ...['2026-10-25T00:00', '2026-10-25T00:30', '2026-10-26T01:00', '2026-10-26T01:30'],
    ])
  })

  it('0,20,40 2 * * * occurs three times', () => {
    expect(occurrences('0,20,40 2 * * *', 'Europe/Berlin', '2026-10-24T12:00Z', 4)).toEqual([
      ...['2026-10-25T00:00', '2026-10-25T00:20', '2026-10-25T00:40', '2026-10-26T01:00'],
    ])
  })

  it('goes on after the hour that came twice, wherever in it somebody looks', () => {
    for (const after of ['2026-10-25T00:45Z', '2026-10-25T01:15Z', '2026-10-25T01:45Z'])
      expect(occurrences('0,30 2 * * *', 'Europe/Berlin', after, 1)).toEqual(['2026-10-26T01:00'])
  })
})

describe('when the clocks go forward', () => {
  it.each(['0,30 2 * * *', '0,20,40 2 * * *'])('%s occurs once, at the end of the gap', (cron) => {
    expect(occurrences(cron, 'Europe/Berlin', '2026-03-28T12:00Z', 2)).toEqual([
      ...['2026-03-29T01:00', '2026-03-30T00:00'],
    ])
  })

  it('what is due at the end of the gap is the same occurrence', () => {
    expect(occurrences('0,30 2,3 * * *', 'Europe/Berlin', '2026-03-28T12:00Z', 3)).toEqual([
      ...['2026-03-29T01:00', '2026-03-29T01:30', '2026-03-30T00:00'],
    ])
  })

  it('a gap at midnight belongs to its own day', () => {
    expect(occurrences('0,30 0 * * *', 'Africa/Cairo', '2026-04-22T23:00Z', 3)).toEqual([
      ...['2026-04-23T22:00', '2026-04-24T21:00', '2026-04-24T21:30'],
    ])
  })
})

describe('the occurrences of an expression', () => {
  const minutes = fc.uniqueArray(fc.integer({ min: 0, max: 11 }), { minLength: 1, maxLength: 3 })
  const hours = fc.uniqueArray(fc.integer({ min: 0, max: 23 }), { minLength: 1, maxLength: 4 })
  const expressions = fc.tuple(minutes, hours).map(([fives, hour]) => {
    return `${fives.map((five) => five * 5).join(',')} ${hour.join(',')} * * *`
  })
  const zones = fc.constantFrom(
    'Europe/Berlin',
    'America/New_York',
    'Africa/Cairo',
    'Asia/Taipei',
    'Australia/Lord_Howe',
  )
  const starts = fc.integer({
    min: Date.parse('2025-01-01') / 60_000,
    max: Date.parse('2027-01-01') / 60_000,
  })

  it('rise, come after the start, and show times of the expression or the end of a gap', () => {
    fc.assert(
      fc.property(expressions, zones, starts, (cron, timeZone, start) => {
        let last = start * 60_000
        const [minute, hour] = cron.split(' ').map((field) => field.split(',').map(Number))
        for (const at of occurrencesAfter({ cron, timeZone }, last)) {
          expect(at).toBeGreaterThan(last)
          const wall = new Date(wallOf(at, timeZone))
          const named = minute!.includes(wall.getUTCMinutes()) && hour!.includes(wall.getUTCHours())
          const afterGap = wallOf(at, timeZone) - wallOf(at - 1, timeZone) > 1
          expect(named || afterGap).toBe(true)
          if (at > (start + 3 * 1_440) * 60_000) return
          last = at
        }
      }),
    )
  })

  it('are the same wherever one begins to look', () => {
    fc.assert(
      fc.property(
        expressions,
        zones,
        starts,
        fc.integer({ min: 0, max: 2_880 }),
        (cron, timeZone, start, later) => {
          const from = start * 60_000
          const until = from + 5 * 86_400_000
          const all: number[] = []
          for (const at of occurrencesAfter({ cron, timeZone }, from)) {
            if (at > until) break
            all.push(at)
          }
          const [next] = first(1, cron, timeZone, from + later * 60_000)
          expect(next).toBe(all.find((at) => at > from + later * 60_000))
        },
      ),
    )
  })

  it('of an accepted expression are far enough apart on ordinary days', () => {
    const wild = fc.tuple(
      fc.uniqueArray(fc.integer({ min: 0, max: 59 }), { minLength: 1, maxLength: 4 }),
      fc.uniqueArray(fc.integer({ min: 0, max: 23 }), { minLength: 1, maxLength: 4 }),
    )
    fc.assert(
      fc.property(wild, ([minute, hour]) => {
        const cron = `${minute.join(',')} ${hour.join(',')} * * *`
        const week = first(2 * minute.length * hour.length + 1, cron, 'UTC', 0)
        const closest = Math.min(...week.slice(1).map((at, place) => at - week[place]!))
        expect(cronIssue(cron) === null).toBe(closest >= shortestPauseMinutes * 60_000)
      }),
    )
  })
})

it.each([
  ['* * * * *', 'minutes apart'],
  ['58,0 23,0 * * *', 'around midnight'],
  ['0 9 30 2 *', 'day of the calendar'],
  ['@daily', 'five fields'],
  ['? 9 * * *', 'five fields'],
  ['0 9 * * +1', 'five fields'],
  ['0 9 * * * *', 'five fields'],
  ['a 9 * * *', 'cron expression'],
])('%s is no expression for a schedule', (cron, issue) => {
  expect(cronIssue(cron)?.message).toContain(issue)
})

it.each(['*/5 * * * *', '0 9 L * *', '0 9 * * 5L', '0 9 * * MON-FRI', '0 9 29 2 *', '0  9 * * 1#2'])(
  '%s is one',
  (cron) => {
    expect(cronIssue(cron)).toBeNull()
  },
)
