import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  dueOccurrences,
  firstDue,
  occurrenceKey,
  upcoming,
} from '../../../../src/domain/schedule/occurrence.ts'

const hour = 3_600_000
const daily = { type: 'recurring', cron: '0 9 * * *', timeZone: 'Asia/Taipei' } as const
const nine = Date.parse('2026-11-23T09:00+08:00')

describe('what is due', () => {
  const most = 10
  const validMs = Number.POSITIVE_INFINITY

  it('leaves nothing out, makes at most the newest, and only in time', () => {
    const lateness = fc.integer({ min: 0, max: 40 * 24 * hour })
    fc.assert(
      fc.property(lateness, fc.integer({ min: 1, max: 5 }), (late, limit) => {
        const now = nine + late
        let nextAt: number | null = nine
        const times: number[] = []
        let latest: number | null = null
        while (nextAt !== null && nextAt <= now) {
          const due = dueOccurrences(daily, nextAt, { now, validMs, most: limit })
          expect(due.missed.length + (due.make === null ? 0 : 1)).toBeLessThanOrEqual(limit)
          times.push(...due.missed.map(({ dueAt }) => dueAt), ...(due.make === null ? [] : [due.make]))
          expect(latest).toBeNull()
          latest = due.make
          nextAt = due.nextAt
        }
        expect(times).toEqual(upcoming(daily, nine, times.length))
        expect(nextAt).toBeGreaterThan(now)
        const newest = times.at(-1)!
        expect(latest).toBe(now - newest < hour ? newest : null)
      }),
    )
  })

  it.each([
    ['a minute less than an hour late', hour - 60_000, nine, []],
    ['an hour late', hour, null, ['late']],
    ['a day late', 24 * hour, nine + 24 * hour, ['late']],
  ])('%s', (_what, late, make, missed) => {
    const due = dueOccurrences(daily, nine, { now: nine + late, validMs, most })
    expect([due.make, due.missed.map(({ reason }) => reason)]).toEqual([make, missed])
  })

  it('is missed once its message would have expired', () => {
    const due = (validFor: number) =>
      dueOccurrences(daily, nine, { now: nine + 60_000, validMs: validFor, most }).make
    expect([due(60_000), due(60_001)]).toEqual([null, nine])
  })

  it('is nothing after one that does not recur', () => {
    const once = { type: 'once', at: nine } as const
    expect(dueOccurrences(once, nine, { now: nine, validMs, most })).toEqual({
      missed: [],
      make: nine,
      nextAt: null,
    })
    expect(upcoming(once, nine, 3)).toEqual([nine])
  })
})

it('a schedule is first due at its instant, after its delay, or at its next time', () => {
  expect(firstDue({ type: 'once', at: nine }, nine - 1)).toBe(nine)
  expect(firstDue({ type: 'once', at: nine }, nine)).toBeNull()
  expect(firstDue({ type: 'delay', delaySeconds: 60 }, nine)).toBe(nine + 60_000)
  expect(firstDue(daily, nine)).toBe(nine + 24 * hour)
})

it('an occurrence is named by the zone and what its clocks show, also at the end of a gap', () => {
  expect(occurrenceKey(daily, nine)).toBe('Asia/Taipei 2026-11-23T09:00')
  const berlin = { ...daily, timeZone: 'Europe/Berlin' }
  expect(occurrenceKey(berlin, Date.parse('2026-03-29T01:00Z'))).toBe('Europe/Berlin 2026-03-29T03:00')
  expect(occurrenceKey({ type: 'once', at: nine }, nine)).toBe('UTC 2026-11-23T01:00:00.000Z')
})
