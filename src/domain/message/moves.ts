import {
  expirable,
  expirableReminders,
  type MessageState,
  type Move,
  moves,
  type WaveState,
} from '../../contract/enums.ts'
import { isExpired } from './expiry.ts'
import type { Position, WaveResult } from './message-state.ts'

/** The table of moves (docs/architecture.md): the states in which each may start. `holds` checks everything else. */
const from: Record<Move, readonly MessageState[]> = {
  edit: ['draft'],
  submit: ['draft'],
  approve: ['submitted'],
  reject: ['submitted'],
  withdraw: ['submitted'],
  start: ['approved'],
  drift: ['approved', 'sending'],
  finish: ['sending'],
  pause: ['approved', 'sending'],
  resume: ['paused'],
  cancel: ['draft', 'submitted', 'approved', 'paused', 'sending'],
  stop: ['sending', 'paused'],
  expire: expirable,
  retry: ['approved', 'sending'],
  skip: ['sending'],
}

/** Moves of a sent message, with the states of its reminder in which each may start. The message stays `sent`. */
const ofReminder: Partial<Record<Move, readonly WaveState[]>> = {
  start: ['waiting'],
  finish: ['sending'],
  pause: ['sending'],
  resume: ['paused'],
  cancel: ['waiting', 'paused', 'sending'],
  stop: ['sending', 'paused'],
  expire: expirableReminders,
  retry: ['waiting', 'sending'],
  skip: ['sending'],
}

const to: Record<Exclude<Move, 'resume' | 'finish' | 'retry'>, MessageState> = {
  edit: 'draft',
  submit: 'submitted',
  approve: 'approved',
  reject: 'rejected',
  withdraw: 'draft',
  start: 'sending',
  drift: 'submitted',
  pause: 'paused',
  cancel: 'cancelled',
  stop: 'stopped',
  expire: 'expired',
  skip: 'sending',
}

/** The only moves of a message past its expiry. */
const pastExpiry: readonly Move[] = ['expire', 'finish']

/**
 * The state after a move, or null if the move is not legal at this position and moment (ms since the epoch). `finish`
 * needs the result of the active wave.
 */
export function stateAfter(
  position: Position,
  name: Move,
  now: number,
  result?: WaveResult,
): MessageState | null {
  if (!starts(position, name) || !holds(position, name, now)) return null
  if (name === 'finish' && !result) return null
  if (position.state === 'sent') return 'sent'
  if (name === 'resume') return position.pausedFrom
  if (name === 'retry') return position.state
  return name === 'finish' ? finalState(result!) : to[name]
}

function starts({ state, reminder }: Position, name: Move): boolean {
  if (state !== 'sent') return from[name].includes(state)
  return reminder !== null && Boolean(ofReminder[name]?.includes(reminder))
}

function holds({ expiresAt, claimed, parked }: Position, name: Move, now: number): boolean {
  const expired = isExpired(expiresAt, now)
  if (expired && !pastExpiry.includes(name)) return false
  if (name === 'expire') return expired
  if (name === 'cancel' || name === 'drift') return !claimed
  if (name === 'stop') return claimed
  return name === 'retry' || name === 'skip' ? parked : true
}

/**
 * The final state that a wave gives its message: `sent` even without recipients; `failed` only if a delivery failed and
 * none may have arrived.
 */
export function finalState(result: WaveResult): MessageState {
  if (result.sent + result.unknown > 0) return 'sent'
  if (result.failed > 0) return 'failed'
  return result.expired > 0 ? 'expired' : 'sent'
}

/** The moves that are legal at this position; the basis of `allowed` in a message's detail. */
export function legalMoves(position: Position, now: number): Move[] {
  return moves.filter((name) => stateAfter(position, name, now) !== null)
}
