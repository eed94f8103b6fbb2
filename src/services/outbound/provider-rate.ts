import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Db } from '../../db/connect.ts'
import { leaseShare, type ProviderRate } from '../../db/queries/delivery/provider.ts'

/** Keeps providers' rates together with every other process. */
export type ProviderRateLimiter = {
  /** Resolves when one call may be made; false where nobody can say, because the database does not answer. */
  take(rate: ProviderRate): Promise<boolean>
}

/** A share lasts about so long (ms): long enough that asking costs little, short enough that nobody else waits for it. */
const shareMs = 50
/** What was leased and not used by then is left unused (ms), so that an idle process does not save up for a burst. */
const keptMs = 1_000

type Bucket = { left: number; until: number; leasing: Promise<boolean> | undefined }

/** Makes the pace of a process: calls are taken from small shares that it leases. */
export function createProviderRateLimiter({ db, log }: { db: Db; log: Logger }): ProviderRateLimiter {
  const buckets = new Map<string, Bucket>()

  async function lease(bucket: Bucket, rate: ProviderRate): Promise<boolean> {
    const share = Math.max(1, Math.round((rate.perSecond * shareMs) / 1_000))
    try {
      const waitMs = await leaseShare(db, rate, share)
      if (waitMs > 0) await sleep(waitMs)
      bucket.left = share
      bucket.until = performance.now() + keptMs
      return true
    } catch (err) {
      log.warn({ err }, 'the rate of a provider cannot be asked for')
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
