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
/** What can be paused: where `resume` goes back to. */
export const pausable = ['approved', 'sending'] as const
export type PausedFrom = (typeof pausable)[number]

/** The states of a wave: a message's first send, or its reminder (design 3). */
export const waveStates = [
  'waiting',
  'sending',
  'paused',
  'sent',
  'cancelled',
  'stopped',
  'expired',
  'missed',
] as const
export type WaveState = (typeof waveStates)[number]
/** Why a wave is parked: the provider is down, its monthly number is used up, or ours is. */
export const problems = ['provider', 'provider_quota', 'quota'] as const
export type Problem = (typeof problems)[number]

/**
 * Every move a message can make. `stop` needs a claimed batch, `cancel` needs that there was none; `retry` and `skip`
 * need a parked wave.
 */
export const moves = [
  'edit',
  'submit',
  'approve',
  'reject',
  'start',
  'drift',
  'finish',
  'pause',
  'resume',
  'cancel',
  'stop',
  'expire',
  'retry',
  'skip',
] as const
export type Move = (typeof moves)[number]

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
