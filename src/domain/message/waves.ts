import type { MessageState, Move, WaveState } from '../../contract/enums.ts'
import type { WaveResult } from './message-state.ts'
import { finalState } from './moves.ts'

/** Whether a wave can still send anything. */
export function isOpenWave(state: WaveState): boolean {
  return state === 'waiting' || state === 'sending' || state === 'paused'
}

/** The state of the active wave after a move of its message; `finish` needs `result`, as in the table of moves. */
export function waveStateAfter(state: WaveState, move: Move, result?: WaveResult): WaveState {
  switch (move) {
    case 'start':
      return 'sending'
    case 'drift':
      return 'waiting'
    case 'pause':
      return state === 'sending' ? 'paused' : state
    case 'resume':
      return state === 'paused' ? 'sending' : state
    case 'cancel':
    case 'reject':
    case 'withdraw':
      return 'cancelled'
    case 'stop':
      return 'stopped'
    case 'expire':
      return 'expired'
    case 'finish':
      return result && finalState(result) === 'expired' ? 'expired' : 'sent'
    default:
      return state
  }
}

const unsentEnds: readonly MessageState[] = ['rejected', 'cancelled', 'stopped', 'expired', 'failed']

/** The state of a reminder after its message has moved to `to`, while the reminder is not the active wave. */
export function reminderStateAfter(state: WaveState, to: MessageState): WaveState {
  const isUnsent = to === 'draft' || unsentEnds.includes(to)
  return isUnsent && isOpenWave(state) ? 'cancelled' : state
}
