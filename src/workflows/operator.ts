import { CancellationScope, defineSignal, isCancellation, setHandler } from '@temporalio/workflow'
import { keysOf } from '../contract/enums.ts'
import { type OperatorMove, operatorSignals } from '../domain/run/signals.ts'

/** What operators may request of the runs of a kind. */
export type OperatorRequests = {
  /** The activity that applies a request to the row with this id. */
  apply: (id: string, move: OperatorMove) => Promise<unknown>
  /** What each signal does, for the Temporal UI; the other signals have no handler. */
  meanings: Partial<Record<keyof typeof operatorSignals, string>>
}

/**
 * Handles the operators' signals; returns a function that applies those that are pending. `onChange` is called on every
 * signal. A Request Cancellation does not interrupt a signal that is being applied.
 */
export function handleOperatorSignals(
  id: string,
  onChange: (signal: string) => void,
  { apply, meanings }: OperatorRequests,
): () => Promise<void> {
  const pending: OperatorMove[] = []
  for (const name of keysOf(meanings)) {
    const description = meanings[name]!
    const note = () => {
      pending.push(operatorSignals[name])
      onChange(name)
    }
    setHandler(defineSignal(name), note, { description })
  }
  return () =>
    CancellationScope.nonCancellable(async () => {
      for (const move of pending.splice(0)) await apply(id, move)
    })
}

/**
 * Runs the steps of a run until they end or an operator requests cancellation. The request is applied to the row, then
 * the run closes as Canceled. If the row is still open (sending can only be paused), the reconciler starts its next run.
 */
export async function untilCancelled<T>(
  id: string,
  steps: () => Promise<T>,
  { apply }: OperatorRequests,
): Promise<T> {
  try {
    return await steps()
  } catch (error) {
    if (isCancellation(error)) await CancellationScope.nonCancellable(() => apply(id, 'cancel'))
    throw error
  }
}
