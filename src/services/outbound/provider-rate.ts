import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Db } from '../../db/connect.ts'
import { leaseShare, type ProviderRate } from '../../db/queries/delivery/provider.ts'

/** Limits calls to each provider's rate, across all processes. */
export type ProviderRateLimiter = {
  /** Resolves when one call may be made; to false if the database is unavailable. */
  take(rate: ProviderRate): Promise<boolean>
}

/** How long a share lasts (ms): long enough to keep leases rare, short enough not to starve other processes. */
const shareMs = 50
/** When an unused share expires (ms), so that an idle process does not save up for a burst. */
const keptMs = 1_000

/** Calls leased at a time, of a rate in calls a second. */
export function shareOf(perSecond: number): number {
  return Math.max(1, Math.round((perSecond * shareMs) / 1_000))
}

type Bucket = { left: number; until: number; leasing: Promise<boolean> | undefined }

/** Makes the rate limiter of a process, which leases small shares of each rate and takes calls from them. */
export function createProviderRateLimiter({ db, log }: { db: Db; log: Logger }): ProviderRateLimiter {
  const buckets = new Map<string, Bucket>()

  async function lease(bucket: Bucket, rate: ProviderRate): Promise<boolean> {
    const share = shareOf(rate.perSecond)
    try {
      const waitMs = await leaseShare(db, rate, share)
      if (waitMs > 0) await sleep(waitMs)
      bucket.left = share
      bucket.until = performance.now() + keptMs
      return true
    } catch (err) {
      log.warn({ err }, "Leasing a provider's rate failed")
      return false
    } finally {
      bucket.leasing = undefined
    }
  }

  return {
    async take(rate) {
      const key = `${rate.account} ${rate.endpoint}`
      const bucket = buckets.get(key) ?? { left: 0, until: 0, leasing: undefined }
      buckets.set(key, bucket)
      while (bucket.left <= 0 || performance.now() >= bucket.until) {
        bucket.leasing ??= lease(bucket, rate)
        if (!(await bucket.leasing)) return false
      }
      bucket.left -= 1
      return true
    },
  }
}
