import type { Claim, Claimed } from '../../db/queries/batch.ts'
import type { WaveBrief } from '../../db/queries/wave-brief.ts'
import type { Delivery } from './delivery.ts'
import type { Lease } from './lease.ts'

/** A claimed batch and all that its calls need. */
export type Work = {
  delivery: Delivery
  wave: WaveBrief
  claim: Claim
  claimed: Claimed
  lease: Lease
}

/**
 * `done`: outcomes are written. `halved`: two batches now. `again`: given back for later. `lost`: somebody else has
 * it.
 */
export type BatchEnd = 'done' | 'halved' | 'again' | 'lost'

/** A call as it is stored: repeated, it goes out exactly so. `unclear`: an earlier try may have been accepted. */
export type Call = {
  part: number
  retryKey: string
  addresses: string[]
  /** Who they are, in the same order; for mail. */
  subjectIds?: string[]
  unclear: boolean
  tries: number
}
