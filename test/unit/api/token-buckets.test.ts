import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { tokenBuckets } from '../../../src/api/auth/token-buckets.ts'

const limit = { perSecond: 10, burst: 100, most: 50 }

const tokens = fc.integer({ min: 1, max: limit.burst })
/** As `performance.now` gives it. */
const moment = fc.double({ min: 0, max: 1e9, noNaN: true })

describe('a bucket', () => {
  it('never admits more than its burst and what it was refilled with since', () => {
    const request = fc.record({ after: fc.nat(3_000), cost: fc.integer({ min: 1, max: 150 }) })
    fc.assert(
      fc.property(fc.array(request, { maxLength: 200 }), (requests) => {
        const buckets = tokenBuckets(limit)
        let now = 0
        let spent = 0
        for (const { after, cost } of requests) {
          now += after
          const { admitted, remaining, waitMs } = buckets.take('a', cost, now)
          if (admitted) spent += Math.min(cost, limit.burst)
          expect(spent).toBeLessThanOrEqual(limit.burst + (now / 1_000) * limit.perSecond)
          expect(remaining).toBeLessThanOrEqual(limit.burst)
          expect(waitMs > 0).toBe(!admitted)
        }
      }),
    )
  })

  it('admits a rejected request after the time it was told, and not before', () => {
    fc.assert(
      fc.property(tokens, tokens, moment, (first, cost, start) => {
        const buckets = tokenBuckets(limit)
        buckets.take('a', first, start)
        const { admitted, waitMs } = buckets.take('a', cost, start)
        expect(admitted).toBe(first + cost <= limit.burst)
        if (admitted) return
        expect(buckets.take('a', cost, start + waitMs - 2).admitted).toBe(false)
        expect(buckets.take('a', cost, start + waitMs).admitted).toBe(true)
      }),
    )
  })

  it('is of one name alone', () => {
    const buckets = tokenBuckets(limit)
    buckets.take('a', 100, 0)
    expect(buckets.take('a', 1, 0).admitted).toBe(false)
    expect(buckets.take('b', 1, 0).admitted).toBe(true)
  })

  it('pays later for what was charged afterwards', () => {
    const buckets = tokenBuckets(limit)
    buckets.charge('a', 150, 0)
    expect(buckets.take('a', 1, 5_000).admitted).toBe(false)
    expect(buckets.take('a', 1, 5_100).admitted).toBe(true)
  })
})

it('of all names only so many are kept, those used last', () => {
  const buckets = tokenBuckets(limit)
  buckets.take('kept', 100, 0)
  for (let n = 0; n < 10 * limit.most; n += 1) {
    buckets.take(`other ${n}`, 1, 0)
    buckets.take('kept', 1, 0)
    expect(buckets.size).toBeLessThanOrEqual(limit.most)
  }
  expect(buckets.take('kept', 1, 0).admitted).toBe(false)
})
