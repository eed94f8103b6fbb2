import type { Move } from '../../contract/enums.ts'
import { isExpired } from './expiry.ts'
import type { Position } from './message-state.ts'
import { legalMoves } from './moves.ts'
import { reminderAt, stateAt } from './shown-state.ts'

/**
 * Why a move is not legal at `now` (ms since the epoch), in a sentence for the caller, and what is possible instead.
 * Only for a move that the table of moves does not allow.
 */
export function explainRefusal(position: Position, move: Move, now: number): string {
  const current = { ...position, state: stateAt(position, now), reminder: reminderAt(position, now) }
  const why = `${move} is not possible: ${stateSentences(current, now)}.`
  return `${why} ${adviceOn(current, move, now) ?? possibleMoves(current, now)}`
}

/** The moves that the run makes by itself, and `skip`, which is a form of `retry`. */
const notAsked: readonly Move[] = ['start', 'drift', 'finish', 'expire', 'skip']

function possibleMoves(position: Position, now: number): string {
  const moves = legalMoves(position, now).filter((move) => !notAsked.includes(move))
  return moves.length > 0
    ? `Possible now: ${moves.join(', ')}.`
    : 'It can no longer be changed. Copy it with POST /v1/messages/{id}/copy.'
}

function stateSentences({ state, expiresAt, reminder }: Position, now: number): string {
  if (isOver({ state, expiresAt }, now)) return `the message expired at ${new Date(expiresAt!).toISOString()}`
  if (state === 'sent' && reminder !== null) return `the message is sent and its reminder is ${reminder}`
  return `the message is ${state}`
}

/** The message has expired, or its send is past its expiry and its run is about to finish it. */
function isOver({ state, expiresAt }: Pick<Position, 'state' | 'expiresAt'>, now: number): boolean {
  return (state === 'expired' || state === 'sending') && isExpired(expiresAt, now)
}

function adviceOn(position: Position, move: Move, now: number): string | null {
  if (isOver(position, now)) return null
  const { state, claimed } = position
  const up = state === 'sent' ? position.reminder : state
  const waits = up === 'draft' || up === 'submitted' || up === 'approved' || up === 'waiting'
  const inFlight = up === 'sending' || up === 'paused'
  switch (move) {
    case 'edit':
      return 'Only a draft can be edited. Copy it with POST /v1/messages/{id}/copy.'
    case 'approve':
    case 'reject':
      return state === 'draft' ? 'Submit it first.' : null
    case 'withdraw':
      if (state === 'draft') return 'It is a draft: edit it.'
      return state === 'approved' ? 'It is approved already. Cancel it, and edit a copy.' : null
    case 'cancel':
      return inFlight && claimed ? 'Some recipients may have received it. Stop it instead.' : null
    case 'stop':
      return waits || (inFlight && !claimed) ? 'No recipient has received it. Cancel it instead.' : null
    case 'retry':
    case 'skip':
      return up === 'sending' ? 'Only a parked send can be retried.' : null
    default:
      return null
  }
}
