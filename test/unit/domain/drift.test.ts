import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  audienceChange,
  type ChannelComparison,
  changeOf,
  changeOfCounts,
  distanceOf,
  namesStageOrTags,
} from '../../../src/domain/audience/drift.ts'

const people = (total: number, byChannel = { chat: total }) => ({
  total,
  byChannel,
  byLocale: {},
  excluded: { noConsent: 0, noAddress: 0, preferenceOff: 0, blocked: 0 },
  excludedByChannel: {},
  unknownUids: 0,
})

/** The size of a sample, as in Postgres. */
const sampleSize = 1_024

/** What Postgres finds when it compares these marks: see src/db/queries/audience/sample.ts. */
function compare(before: Set<number>, now: Set<number>): ChannelComparison {
  const sample = new Set([...before].sort((a, b) => a - b).slice(0, sampleSize))
  const last = before.size > sampleSize ? Math.max(...sample) : Number.POSITIVE_INFINITY
  const kept = [...now].filter((mark) => sample.has(mark)).length
  return {
    before: before.size,
    sampled: sample.size,
    now: now.size,
    covered: [...now].filter((mark) => mark <= last).length,
    kept,
    same: before.size === now.size && [...before].every((mark) => now.has(mark)),
  }
}

function truth(before: Set<number>, now: Set<number>) {
  return {
    added: [...now].filter((mark) => !before.has(mark)).length,
    removed: [...before].filter((mark) => !now.has(mark)).length,
  }
}

/** Random marks: `from` of them shared, `gone` only before, `added` only now. */
function marks(seed: number, shared: number, gone: number, added: number) {
  let state = seed
  const next = () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0
    const mixed = Math.imul(state ^ (state >>> 13), 0x297a2d39)
    return (mixed ^ (mixed >>> 16)) >>> 0
  }
  const drawn = new Set<number>()
  while (drawn.size < shared + gone + added) drawn.add(next())
  const all = [...drawn]
  return {
    before: new Set(all.slice(0, shared + gone)),
    now: new Set([...all.slice(0, shared), ...all.slice(shared + gone)]),
  }
}

describe('who changed since the snapshot', () => {
  it('is exact with up to 1,024 people, however many there are now', () => {
    fc.assert(
      fc.property(
        fc.integer(),
        fc.nat(600),
        fc.nat(sampleSize - 600),
        fc.nat(3_000),
        (seed, shared, gone, added) => {
          const { before, now } = marks(seed, shared, gone, added)
          expect(changeOf(compare(before, now))).toEqual(truth(before, now))
          expect(audienceChange({ chat: compare(before, now) }).exact).toBe(true)
        },
      ),
      { numRuns: 60 },
    )
  })

  it('is close above, never negative, and differs by exactly what the counts differ', () => {
    fc.assert(
      fc.property(
        fc.integer(),
        fc.integer({ min: 3_000, max: 20_000 }),
        fc.nat(15),
        fc.nat(15),
        (seed, size, gonePercent, addedPercent) => {
          const gone = Math.round((size * gonePercent) / 100)
          const added = Math.round((size * addedPercent) / 100)
          const { before, now } = marks(seed, size - gone, gone, added)
          const change = changeOf(compare(before, now))
          expect(change.added - change.removed).toBe(now.size - before.size)
          expect(Math.min(change.added, change.removed)).toBeGreaterThanOrEqual(0)
          expect(Number.isInteger(change.added)).toBe(true)
          // Six standard deviations at 30 %; at a tenth, which decides, one of them is a point.
          const off = Math.abs(change.added + change.removed - gone - added) / size
          expect(off).toBeLessThan(0.1)
        },
      ),
      { numRuns: 40 },
    )
  })

  it('is never nobody if one person of many was exchanged', () => {
    const { before, now } = marks(7, 30_000, 1, 1)
    const change = changeOf(compare(before, now))
    expect(change.added).toBeGreaterThan(0)
    expect(change.removed).toBe(change.added)
    expect(audienceChange({ chat: compare(before, now) }).exact).toBe(false)
    expect(changeOf(compare(before, before))).toEqual({ added: 0, removed: 0 })
  })

  it('is about 3 points off at most in 99 audiences of 100 that changed by a tenth', () => {
    const audiences = Array.from({ length: 200 }, (_, seed) => marks(seed * 7_919 + 1, 19_000, 1_000, 1_000))
    const off = audiences.map(({ before, now }) => {
      const change = changeOf(compare(before, now))
      return Math.abs((change.added + change.removed) / before.size - 0.1)
    })
    expect(off.filter((points) => points > 0.03).length).toBeLessThanOrEqual(2)
  })

  it('is only a difference of counts for a message without marks', () => {
    expect(changeOfCounts(people(10), people(7))).toEqual({
      byChannel: { chat: { added: 0, removed: 3 } },
      exact: false,
    })
  })
})

describe('an approved audience', () => {
  it.each([
    [1, { added: 1, removed: 1 }, 'drifted'],
    [10, { added: 0, removed: 0 }, 'none'],
    [10, { added: 1, removed: 0 }, 'few'],
    [10, { added: 1, removed: 1 }, 'drifted'],
    [50, { added: 3, removed: 2 }, 'few'],
    [50, { added: 3, removed: 3 }, 'drifted'],
    [51, { added: 3, removed: 2 }, 'tolerated'],
    [51, { added: 6, removed: 0 }, 'drifted'],
    [1_000, { added: 50, removed: 50 }, 'tolerated'],
    [1_000, { added: 51, removed: 50 }, 'drifted'],
    [1_000, { added: 0, removed: 101 }, 'drifted'],
    [0, { added: 1, removed: 0 }, 'drifted'],
  ] as const)('of %i people with %o changed: %s', (total, change, distance) => {
    expect(distanceOf(people(total), { byChannel: { chat: change }, exact: true })).toBe(distance)
  })
})

it('a change of stage or tags explains who is new only where the audience names them', () => {
  expect(namesStageOrTags([{ kind: 'query', roles: ['student'] }])).toBe(false)
  expect(namesStageOrTags([{ kind: 'all' }])).toBe(false)
  expect(namesStageOrTags([{ kind: 'query', roles: ['student'], exclude: { tags: ['a:b'] } }])).toBe(true)
  expect(
    namesStageOrTags([
      { kind: 'query', groups: ['g'] },
      { kind: 'query', stages: ['lead'] },
    ]),
  ).toBe(true)
})
