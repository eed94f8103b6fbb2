/** The states of a message intent (design 3). */
export const messageStates = [
  'draft',
  'submitted',
  'rejected',
  'approved',
  'sending',
  'sent',
  'failed',
  'paused',
  'cancelled',
  'stopped',
  'expired',
] as const
export type MessageState = (typeof messageStates)[number]
/** Where `resume` goes back to. */
export type PausedFrom = 'approved' | 'sending'

/** Every move a message can make. `stop` needs a claimed batch, `cancel` needs that there was none. */
export type Move =
  | 'edit'
  | 'submit'
  | 'approve'
  | 'reject'
  | 'start'
  | 'drift'
  | 'finish'
  | 'pause'
  | 'resume'
  | 'cancel'
  | 'stop'
  | 'expire'

/** What the rules need to know of a message and its first wave. Times are ms since the epoch. */
export type Position = {
  state: MessageState
  pausedFrom: PausedFrom | null
  expiresAt: number | null
  /** Was any batch of the first wave ever claimed? From then on it can only be stopped, not cancelled. */
  claimed: boolean
}

/** How the first wave came out; decides what `finish` means. Counts of deliveries. */
export type WaveResult = { sent: number; unknown: number; failed: number; expired: number }
