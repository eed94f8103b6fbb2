import { CancellationScope, defineSignal, isCancellation, setHandler } from '@temporalio/workflow'
import { keysOf } from '../contract/enums.ts'
import { type OperatorMove, operatorSignals } from '../domain/signals.ts'
import { applyOperatorMove } from './activities.ts'

const meanings = {
  retryParked: 'Retry the parked wave now.',
  skipParked: 'Skip the remaining recipients of the parked wave.',
}

/**
 * Handles the operators' signals; returns a function that applies those that are pending. `onChange` is called on every
 * signal. A Request Cancellation does not interrupt a signal that is being applied.
 */
export function handleOperatorSignals(
  messageId: string,
  onChange: (signal: string) => void,
): () => Promise<void> {
  const pending: OperatorMove[] = []
  for (const name of keysOf(operatorSignals)) {
    const description = meanings[name]
    const note = () => {
      pending.push(operatorSignals[name])
      onChange(name)
    }
    setHandler(defineSignal(name), note, { description })
  }
  return () =>
    CancellationScope.nonCancellable(async () => {
      for (const move of pending.splice(0)) await applyOperatorMove(messageId, move)
    })
}

/**
 * Runs the steps of a message until they end or an operator requests cancellation. The request is applied to the
 * message, then the run closes as Canceled. If the message is still open (sending can only be paused), the reconciler
 * starts its next run.
 */
export async function untilCancelled<T>(messageId: string, steps: () => Promise<T>): Promise<T> {
  try {
    return await steps()
  } catch (error) {
    if (isCancellation(error))
      await CancellationScope.nonCancellable(() => applyOperatorMove(messageId, 'cancel'))
    throw error
  }
}
