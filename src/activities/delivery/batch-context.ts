import type { Db, Trx } from '../../db/connect.ts'
import { type Claim, type ClaimedBatch, leaseMs, renewLease } from '../../db/queries/delivery/batch.ts'
import { lockClaimed } from '../../db/queries/delivery/batch-outcome.ts'
import type { WaveInfo } from '../../db/queries/delivery/wave.ts'
import { isAborted, isAnswer, isProviderFailure, type Outcome } from '../../domain/outcome.ts'
import type { TrySituation } from '../../domain/settlement.ts'
import { type LockedMessage, lockMessage } from '../../services/messages/move.ts'
import type { DeliveryContext } from './context.ts'

/** A claimed batch and all that its calls need. */
export type BatchContext = {
  delivery: DeliveryContext
  wave: WaveInfo
  claim: Claim
  claimed: ClaimedBatch
  lease: Lease
  /** When it was claimed, on this process' monotonic clock. */
  claimedAt: number
}

/**
 * `done`: outcomes are written. `halved`: two batches now. `again`: given back for later. `lost`: somebody else has
 * it.
 */
export type BatchResult = 'done' | 'halved' | 'again' | 'lost'

/** A call as it is stored: repeated, it goes out exactly so. `unclear`: an earlier try may have been accepted. */
export type ProviderCall = {
  part: number
  retryKey: string
  addresses: string[]
  /** Who they are, in the same order; for mail, where each has an outcome of their own. */
  subjectIds?: string[]
  unclear: boolean
}

/**
 * Takes note of what a try says of its channel, and answers what is known of the batch by now. `outcomes`: one for the
 * whole call, or one for each recipient.
 */
export function recordTry(
  { delivery, claim, claimed, claimedAt }: BatchContext,
  { addresses, subjectIds, unclear }: ProviderCall,
  outcomes: Outcome[],
): TrySituation {
  const { breaker } = delivery
  const { channel, waveId, number } = claim
  const trouble = outcomes.flatMap((outcome, place) =>
    isProviderFailure(outcome) && !isAborted(outcome) ? [{ ...outcome, place }] : [],
  )
  const standing = breaker.note(channel, {
    answered: outcomes.some(isAnswer),
    met: trouble.map(({ place }) => subjectIds?.[place] ?? `${waveId} ${number}`),
    general: trouble.some(({ general }) => general === true),
  })
  const failingMs = claimed.tries > 0 ? claimed.failingMs + performance.now() - claimedAt : 0
  return {
    to: addresses,
    tries: claimed.tries,
    failingMs,
    unclear,
    othersPass: breaker.passedWithin(channel, failingMs),
    probing: claimed.probing,
    ...standing,
  }
}

/** There is time enough, and the provider is not left alone for a moment. */
export function canStart({ lease, delivery, claim }: BatchContext): boolean {
  return lease.mayBegin() && delivery.breaker.waitMs(claim.channel) === 0
}

/** A transaction about a batch that is still ours, under the locks in everybody's order: message, wave, batch. */
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
/** Nothing begins in a lease's last 10 s: a call's own limit must end before somebody else may claim. */
const leaseMarginMs = 10_000

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
    mayBegin: () => performance.now() < Math.min(until - leaseMarginMs, expiresAt),
    end: () => clearInterval(timer),
  }
}
