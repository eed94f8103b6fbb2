/**
 * The answer to a request for tokens. `waitMs`: until as many are there; 0 if they were taken. `resetMs`: until the bucket is
 * full.
 */
type TakeResult = { admitted: boolean; remaining: number; waitMs: number; resetMs: number }

/** A bucket of tokens for each name: full at first, refilled at a steady rate. */
type TokenBuckets = {
  /** Takes tokens if there are as many; never more than a full bucket has. `now` in ms. */
  take(name: string, cost: number, now: number): TakeResult
  /** Takes tokens afterwards, for what could not be known before; the next requests wait until they are paid. */
  charge(name: string, cost: number, now: number): void
  /** How many buckets are kept. */
  readonly size: number
}

/** Tokens that may be missing because clocks and rates are fractions: a caller that waits as asked must be admitted. */
const rounding = 1e-6

/**
 * Keeps the buckets in memory, of at most `most` names: beyond it, the one used longest ago is dropped, and is full
 * again when its name comes back.
 */
export function tokenBuckets(limit: { perSecond: number; burst: number; most: number }): TokenBuckets {
  const { perSecond, burst, most } = limit
  const kept = new Map<string, { tokens: number; at: number }>()

  const open = (name: string, now: number): number => {
    const bucket = kept.get(name)
    kept.delete(name) // set again, it stands last: a Map keeps the order of its insertions
    if (kept.size >= most) kept.delete(kept.keys().next().value!)
    if (!bucket) return burst
    return Math.min(burst, bucket.tokens + (Math.max(0, now - bucket.at) / 1_000) * perSecond)
  }

  return {
    take(name, wanted, now) {
      const tokens = open(name, now)
      const cost = Math.min(wanted, burst)
      const admitted = tokens + rounding >= cost
      const left = admitted ? tokens - cost : tokens
      kept.set(name, { tokens: left, at: now })
      const waitMs = admitted ? 0 : Math.ceil(((cost - tokens) / perSecond) * 1_000)
      const resetMs = Math.ceil(((burst - left) / perSecond) * 1_000)
      return { admitted, remaining: Math.max(0, Math.floor(left)), waitMs, resetMs }
    },
    charge(name, cost, now) {
      const tokens = open(name, now)
      kept.set(name, { tokens: Math.max(-burst, tokens - cost), at: now })
    },
    get size() {
      return kept.size
    },
  }
}
