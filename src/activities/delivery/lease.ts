import type { Db } from '../../db/connect.ts'
import { type Claim, leaseMs, renewLease } from '../../db/queries/batch.ts'

const renewEveryMs = 5_000
/** Nothing begins in a lease's last 10 s: a call's own limit must end before somebody else may claim. */
const quietMs = 10_000

/** A claim as its holder sees it, on the process' monotonic clock. */
export type Lease = { mayBegin(): boolean; end(): void }

/**
 * Holds a claim's lease and renews it until `end`. `askedAt` is the monotonic moment before the claim was asked for, so
 * that what counts here ends before what Postgres granted.
 */
export function holdLease(db: Db, claim: Claim, askedAt: number, expiresInMs: number | null): Lease {
  const expiresAt = expiresInMs === null ? Number.POSITIVE_INFINITY : askedAt + expiresInMs
  let until = askedAt + leaseMs
  const timer = setInterval(async () => {
    const renewing = performance.now()
    const held = await renewLease(db, claim).catch(() => undefined) // no answer: the lease runs out by itself
    if (held) until = renewing + leaseMs
    if (held === false) until = 0
  }, renewEveryMs)
  return {
    mayBegin: () => performance.now() < Math.min(until - quietMs, expiresAt),
    end: () => clearInterval(timer),
  }
}
