import type { MessageState, Move, WaveState } from '../contract/enums.ts'
import type { WaveResult } from './message-state.ts'
import { finalState } from './moves.ts'

/** Can anything still be sent with it? */
export function isOpenWave(state: WaveState): boolean {
  return state === 'waiting' || state === 'sending' || state === 'paused'
}

/** What a move of its message makes of the wave that is up; `result` for `finish`, as in the table of moves. */
export function waveStateAfter(state: WaveState, move: Move, result?: WaveResult): WaveState {
  switch (move) {
    case 'start':
      return 'sending'
    case 'pause':
      return state === 'sending' ? 'paused' : state
    case 'resume':
      return state === 'paused' ? 'sending' : state
    case 'cancel':
    case 'reject':
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

/** What becomes of the reminder of a message that has come to `to` before it was the reminder's turn. */
export function reminderStateAfter(state: WaveState, to: MessageState): WaveState {
  return unsentEnds.includes(to) && isOpenWave(state) ? 'cancelled' : state
}
