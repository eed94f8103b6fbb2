import { CancellationScope } from '@temporalio/workflow'
import { operatorMove } from './activities.ts'

/** What came of Request Cancel in the Temporal UI. `done`: the row says what the operator wanted. */
export type OperatorsHand = { asked: boolean; done: boolean }

/**
 * Watches for Request Cancel and makes it a move of the message, at once, whatever step is under way. The run itself is
 * never cancelled: it stands in a scope of its own, and goes by the row as always. `moved` is called after the move.
 */
export function watchOperator(messageId: string, moved: () => void): OperatorsHand {
  const hand = { asked: false, done: false }
  CancellationScope.current().cancelRequested.catch(async () => {
    hand.asked = true
    await CancellationScope.nonCancellable(() => operatorMove(messageId))
    hand.done = true
    moved()
  })
  return hand
}
