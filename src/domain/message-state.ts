import type { MessageState, PausedFrom, WaveState } from '../contract/enums.ts'

/**
 * What the rules need to know of a message and its waves. The first wave is up until the message is sent, then its
 * reminder is. Times are ms since the epoch.
 */
export type Position = {
  state: MessageState
  pausedFrom: PausedFrom | null
  expiresAt: number | null
  reminder: WaveState | null
  /** Was any batch of the wave that is up ever claimed? From then on it can only be stopped, not cancelled. */
  claimed: boolean
  /** Does the wave that is up stand still, for want of a provider or of quota? */
  parked: boolean
}

/** How the wave that is up came out; decides what `finish` means. Counts of deliveries. */
export type WaveResult = { sent: number; unknown: number; failed: number; expired: number }
