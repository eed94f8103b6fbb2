import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  addHalves,
  available,
  forecastOf,
  splitHalves,
  sumHalves,
  thresholdOf,
  toCommit,
  toRelease,
} from '../../../src/domain/message/quota.ts'

const pushes = fc.nat(1_000)
const held = fc.record({ unit: pushes, pool: pushes })

describe('a reservation', () => {
  it("takes the unit's own quota first and the rest from the pool, or nothing at all", () => {
    fc.assert(
      fc.property(pushes, pushes, pushes, (wanted, unitFree, poolFree) => {
        const halves = splitHalves(wanted, unitFree, poolFree)
        expect(halves === null).toBe(wanted > unitFree + poolFree)
        if (!halves) return
        expect(sumHalves(halves)).toBe(wanted)
        expect(halves.unit).toBe(Math.min(wanted, unitFree))
        expect(halves.pool).toBeLessThanOrEqual(poolFree)
      }),
    )
  })

  it("spends the unit's half first and gives the pool's half back first, never more than it holds", () => {
    fc.assert(
      fc.property(held, pushes, (holds, wanted) => {
        const some = Math.min(wanted, sumHalves(holds))
        const spent = toCommit(holds, some)
        const returned = toRelease(holds, some)
        for (const halves of [spent, returned]) {
          expect(sumHalves(halves)).toBe(some)
          expect(halves.unit).toBeGreaterThanOrEqual(0)
          expect(halves.pool).toBeGreaterThanOrEqual(0)
          expect(halves.unit).toBeLessThanOrEqual(holds.unit)
          expect(halves.pool).toBeLessThanOrEqual(holds.pool)
        }
        expect(spent.pool > 0 && spent.unit < holds.unit).toBe(false)
        expect(returned.unit > 0 && returned.pool < holds.pool).toBe(false)
      }),
    )
  })

  it('ends the same whether spending or giving back comes first', () => {
    fc.assert(
      fc.property(held, pushes, pushes, (holds, a, b) => {
        const spending = Math.min(a, sumHalves(holds))
        const returning = Math.min(b, sumHalves(holds) - spending)
        const less = (from: typeof holds, by: typeof holds) =>
          addHalves(from, { unit: -by.unit, pool: -by.pool })
        const spent = toCommit(holds, spending)
        const returned = toRelease(holds, returning)
        expect(toRelease(less(holds, spent), returning)).toEqual(returned)
        expect(toCommit(less(holds, returned), spending)).toEqual(spent)
      }),
    )
  })
})

describe('an account', () => {
  it('has available what is neither reserved nor committed', () => {
    expect(available({ limit: 10, reserved: 3, committed: 4 })).toBe(3)
  })

  it.each([
    [{ limit: 100, reserved: 0, committed: 0 }, 'ok'],
    [{ limit: 100, reserved: 40, committed: 39 }, 'ok'],
    [{ limit: 100, reserved: 40, committed: 40 }, 'warning'],
    [{ limit: 100, reserved: 0, committed: 99 }, 'warning'],
    [{ limit: 100, reserved: 1, committed: 99 }, 'exhausted'],
    [{ limit: 0, reserved: 0, committed: 0 }, 'exhausted'],
  ] as const)('with %o is %s', (account, threshold) => {
    expect(thresholdOf(account)).toBe(threshold)
  })
})

describe('what a month comes to', () => {
  const account = (committed: number) => ({ limit: 1_000, reserved: 50, committed })
  it.each([
    ['in a month of thirty days', 300, '2026-11', '2026-11-10', 900],
    ['with reservations left out, which are not used yet', 0, '2026-11', '2026-11-30', 0],
    ['on its last day what it is', 310, '2026-12', '2026-12-31', 310],
    ['in a February of 29 days', 29, '2028-02-01', '2028-02-03', 280],
  ])('%s', (_, committed, month, day, expected) => {
    expect(forecastOf(account(committed), month, day)).toBe(expected)
  })

  it.each([
    ['of another month', '2026-10', '2026-11-10'],
    ['in its first two days', '2026-11', '2026-11-02'],
  ])('is not known %s', (_, month, day) => {
    expect(forecastOf(account(100), month, day)).toBeNull()
  })
})
