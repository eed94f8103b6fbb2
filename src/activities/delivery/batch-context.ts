import type { Db, Trx } from '../../db/connect.ts'
import { type Claim, type ClaimedBatch, leaseMs, renewLease } from '../../db/queries/delivery/batch.ts'
import { lockClaimed } from '../../db/queries/delivery/batch-outcome.ts'
import type { WaveInfo } from '../../db/queries/delivery/wave.ts'
import { isAborted, isAnswer, isProviderFailure, type Outcome } from '../../domain/message/outcome.ts'
import type { TrySituation } from '../../domain/message/settlement.ts'
import { type LockedMessage, lockMessage } from '../../services/messages/move.ts'
import type { DeliveryContext } from './context.ts'

/** A claimed batch with everything its calls need. */
export type BatchContext = {
  delivery: DeliveryContext
  wave: WaveInfo
  claim: Claim
  claimed: ClaimedBatch
  lease: Lease
  /** Counts the calls of the provider that are made for it. */
  counts: { calls: number }
  /** When the claim was granted, on this process' monotonic clock (ms). */
  claimedAt: number
}

/**
 * `done`: all outcomes are written. `halved`: split into two batches. `again`: deferred. `lost`: claimed by another
 * worker.
 */
export type BatchResult = 'done' | 'halved' | 'again' | 'lost'

/** A call as stored; every retry sends exactly this. `unclear`: the provider may have accepted an earlier try. */
export type ProviderCall = {
  callNumber: number
  retryKey: string
  addresses: string[]
  /** Subject ids in the order of `addresses`; for mail only, where every recipient has an outcome. */
  subjectIds?: string[]
  unclear: boolean
}

/**
 * Records in the circuit breaker what a try shows about its channel, and returns the situation in which to judge it.
 * `outcomes`: one for the whole call, or one for each recipient.
 */
export function recordTry(
  { delivery, claim, claimed, claimedAt }: BatchContext,
  { addresses, subjectIds, unclear }: ProviderCall,
  outcomes: Outcome[],
): TrySituation {
  const { breaker } = delivery
  const { channel, waveId, number } = claim
  const failures = outcomes.flatMap((outcome, index) =>
    isProviderFailure(outcome) && !isAborted(outcome) ? [{ ...outcome, index }] : [],
  )
  const channelFailure = breaker.record(channel, {
    answered: outcomes.some(isAnswer),
    failedFor: failures.map(({ index }) => subjectIds?.[index] ?? `${waveId} ${number}`),
    general: failures.some(({ general }) => general === true),
  })
  const failingMs = claimed.tries > 0 ? claimed.failingMs + performance.now() - claimedAt : 0
  return {
    to: addresses,
    tries: claimed.tries,
    failingMs,
    unclear,
    othersSucceed: breaker.succeededWithin(channel, failingMs),
    probing: claimed.probing,
    ...channelFailure,
  }
}

/** Whether the lease leaves time for a call and the circuit breaker lets the channel be called. */
export function canStart({ lease, delivery, claim }: BatchContext): boolean {
  return lease.canStart() && delivery.breaker.waitMs(claim.channel) === 0
}

/**
 * Runs `write` in a transaction if the claim still holds, else returns `lost`. Locks in the order that all transactions
 * keep: message, wave, batch.
 */
export function withClaim<T>(
  { delivery, wave, claim }: BatchContext,
  write: (trx: Trx, locked: LockedMessage) => Promise<T>,
): Promise<T | 'lost'> {
  return delivery.services.db.transaction().execute(async (trx) => {
    const locked = await lockMessage(trx, wave.messageId)
    return (await lockClaimed(trx, claim)) ? write(trx, locked) : 'lost'
  })
}

const renewEveryMs = 5_000
/** No call starts in a lease's last 10 s: its timeout must pass before another worker can claim the batch. */
const leaseMarginMs = 10_000

/** The holder's view of its claim, on this process' monotonic clock. */
type Lease = { canStart(): boolean; end(): void }

/**
 * Renews the lease of a claim until `end`. `askedAt` is the monotonic time (ms) before the claim was requested, so that
 * the lease ends here before it ends in Postgres.
 */
export function holdLease(db: Db, claim: Claim, askedAt: number, expiresInMs: number | null): Lease {
  const expiresAt = expiresInMs === null ? Number.POSITIVE_INFINITY : askedAt + expiresInMs
  let until = askedAt + leaseMs
  const timer = setInterval(async () => {
    const renewedAt = performance.now()
    const held = await renewLease(db, claim).catch(() => undefined) // no answer: the lease expires
    if (held) until = renewedAt + leaseMs
    if (held === false) until = 0
  }, renewEveryMs)
  return {
    canStart: () => performance.now() < Math.min(until - leaseMarginMs, expiresAt),
    end: () => clearInterval(timer),
  }
}
