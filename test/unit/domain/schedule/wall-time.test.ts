import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { instantOf, wallOf } from '../../../../src/domain/schedule/wall-time.ts'

const wall = (text: string) => Date.parse(`${text}Z`)
const instant = (wallTime: string, zone: string) => new Date(instantOf(wall(wallTime), zone)).toISOString()
const zones = fc.constantFrom(...Intl.supportedValuesOf('timeZone'))
const instants = fc
  .integer({ min: Date.parse('2015-01-01') / 60_000, max: Date.parse('2037-01-01') / 60_000 })
  .map((minutes) => minutes * 60_000)

describe('the instant of a wall time', () => {
  it.each([
    ['2026-11-23T09:00', 'Asia/Taipei', '2026-11-23T01:00:00.000Z'],
    ['2026-07-01T09:00', 'Europe/Berlin', '2026-07-01T07:00:00.000Z'],
    // Twice: the first time.
    ['2026-10-25T02:30', 'Europe/Berlin', '2026-10-25T00:30:00.000Z'],
    ['2026-11-01T01:00', 'America/New_York', '2026-11-01T05:00:00.000Z'],
    ['2026-04-05T01:45', 'Australia/Lord_Howe', '2026-04-04T14:45:00.000Z'],
    // Never: the end of the gap.
    ['2026-03-29T02:00', 'Europe/Berlin', '2026-03-29T01:00:00.000Z'],
    ['2026-03-29T02:59', 'Europe/Berlin', '2026-03-29T01:00:00.000Z'],
    ['2026-04-24T00:30', 'Africa/Cairo', '2026-04-23T22:00:00.000Z'],
    ['2026-10-04T02:15', 'Australia/Lord_Howe', '2026-10-03T15:30:00.000Z'],
    ['2011-12-30T12:00', 'Pacific/Apia', '2011-12-30T10:00:00.000Z'],
  ])('%s in %s is %s', (wallTime, zone, expected) => {
    expect(instant(wallTime, zone)).toBe(expected)
  })

  it('is the first instant at which clocks show it, in every zone', () => {
    fc.assert(
      fc.property(zones, instants, (zone, at) => {
        const wall = wallOf(at, zone)
        const instant = instantOf(wall, zone)
        expect(instant).toBeLessThanOrEqual(at)
        expect(wallOf(instant, zone)).toBe(wall)
      }),
    )
  })

  it('is where the clocks pass it, if none shows it', () => {
    fc.assert(
      fc.property(zones, instants, (zone, time) => {
        const instant = instantOf(time, zone)
        if (wallOf(instant, zone) === time) return
        expect(wallOf(instant, zone)).toBeGreaterThan(time)
        expect(wallOf(instant - 1, zone)).toBeLessThan(time)
      }),
    )
  })

  it('never goes back while the wall time goes on', () => {
    fc.assert(
      fc.property(zones, instants, fc.integer({ min: 1, max: 200 }), (zone, time, minutes) => {
        expect(instantOf(time + minutes * 60_000, zone)).toBeGreaterThanOrEqual(instantOf(time, zone))
      }),
    )
  })
})
