import type { MessageState, Move, Position, WaveResult } from './message-state.ts'

/** The table of moves (design 3): from where each may start. What else must hold is asked in `move`. */
const from: Record<Move, readonly MessageState[]> = {
  edit: ['draft'],
  submit: ['draft'],
  approve: ['submitted'],
  reject: ['submitted'],
  start: ['approved'],
  drift: ['approved'],
  finish: ['sending'],
  pause: ['approved', 'sending'],
  resume: ['paused'],
  cancel: ['draft', 'submitted', 'approved', 'paused', 'sending'],
  stop: ['sending', 'paused'],
  expire: ['draft', 'submitted', 'approved', 'paused'],
}

const to: Record<Exclude<Move, 'resume' | 'finish'>, MessageState> = {
  edit: 'draft',
  submit: 'submitted',
  approve: 'approved',
  reject: 'rejected',
  start: 'sending',
  drift: 'submitted',
  pause: 'paused',
  cancel: 'cancelled',
  stop: 'stopped',
  expire: 'expired',
}

/** Past its expiry a message can only be brought to its end. */
const pastExpiry: readonly Move[] = ['expire', 'finish']

/**
 * Where a move leads, or null where it is not legal from here, at this moment (ms since the epoch).
 * `finish` needs the first wave's result.
 */
export function move(position: Position, name: Move, now: number, result?: WaveResult): MessageState | null {
  if (!from[name].includes(position.state)) return null
  const expired = position.expiresAt !== null && now >= position.expiresAt
  if (expired && !pastExpiry.includes(name)) return null
  switch (name) {
    case 'cancel':
      return position.claimed ? null : to.cancel
    case 'stop':
      return position.claimed ? to.stop : null
    case 'expire':
      return expired ? to.expire : null
    case 'resume':
      return position.pausedFrom
    case 'finish':
      return result ? ending(result) : null
    default:
      return to[name]
  }
}

/** `sent` even to nobody; `failed` only where something failed and nothing may have arrived. */
function ending(result: WaveResult): MessageState {
  if (result.sent + result.unknown > 0) return 'sent'
  if (result.failed > 0) return 'failed'
  return result.expired > 0 ? 'expired' : 'sent'
}

/** The moves that are legal from here; the basis of `allowed` in a message's detail. */
export function legalMoves(position: Position, now: number): Move[] {
  return (Object.keys(from) as Move[]).filter((name) => move(position, name, now) !== null)
}
