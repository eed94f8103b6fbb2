import { CancellationScope, defineSignal, setHandler } from '@temporalio/workflow'
import { keysOf } from '../contract/enums.ts'
import { type OperatorMove, operatorSignals } from '../domain/signals.ts'
import { operatorMove } from './activities.ts'

/** What operators ask for in the Temporal UI. */
export type OperatorRequests = {
  /** A Request Cancel is being made a move: the run may not end or go on in a fresh one before that is done. */
  busy: boolean
  /** A Request Cancel was made a move; the scope that was cancelled is of no more use. */
  cancelled: boolean
  /** Makes moves of what was asked for and not done yet. */
  obey(): Promise<void>
}

const meanings = {
  retryParked: 'the parked wave tries again now',
  skipParked: 'whoever is left of the parked wave is given up',
}

/**
 * Watches for Request Cancel and for an operator's signals. The run itself is never cancelled: it stands in a scope of
 * its own, and goes by the row as always. A cancel becomes a move at once, whatever step is under way; the others are for
 * `obey`. `heard` is called whenever there is something to see.
 */
export function handleOperatorRequests(messageId: string, heard: () => void): OperatorRequests {
  const asked: OperatorMove[] = []
  let cancel: Promise<void> | undefined
  const hand: OperatorRequests = {
    busy: false,
    cancelled: false,
    async obey() {
      for (const move of asked.splice(0)) await operatorMove(messageId, move)
      await cancel
    },
  }
  CancellationScope.current().cancelRequested.catch(() => {
    hand.busy = true
    cancel = CancellationScope.nonCancellable(async () => {
      await operatorMove(messageId, 'cancel')
      Object.assign(hand, { busy: false, cancelled: true })
      heard()
    })
  })
  for (const name of keysOf(operatorSignals)) {
    const description = meanings[name]
    const note = () => {
      asked.push(operatorSignals[name])
      heard()
    }
    setHandler(defineSignal(name), note, { description })
  }
  return hand
}
