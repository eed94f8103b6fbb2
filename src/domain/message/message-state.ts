import type { MessageState, PausedFrom, WaveState } from '../../contract/enums.ts'

/**
 * What the rules need to know of a message and its waves. The active wave is the first until the message is sent, then
 * the reminder. Times are ms since the epoch.
 */
export type Position = {
  state: MessageState
  pausedFrom: PausedFrom | null
  expiresAt: number | null
  reminder: WaveState | null
  /**
   * Whether a batch of the active wave was ever claimed. From then on the message can be stopped, but not cancelled.
   */
  claimed: boolean
  /** Whether the active wave is parked, or the run because its step kept failing. */
  parked: boolean
}

/** The result of the active wave, which decides what `finish` means. Counts of deliveries. */
export type WaveResult = { sent: number; unknown: number; failed: number; expired: number }
