import { CancellationScope, defineSignal, setHandler } from '@temporalio/workflow'
import { keysOf } from '../contract/enums.ts'
import { type OperatorMove, operatorSignals } from '../domain/signals.ts'
import { applyOperatorMove } from './activities.ts'

/** What operators request in the Temporal UI. */
export type OperatorRequests = {
  /** A Request Cancellation is being applied: the run must not end or continue as new before that is done. */
  busy: boolean
  /** A Request Cancellation has been applied: the run must continue as new, because its root scope stays cancelled. */
  cancelled: boolean
  /** Applies the pending requests. */
  apply(): Promise<void>
}

const meanings = {
  retryParked: 'Retry the parked wave now.',
  skipParked: 'Skip the remaining recipients of the parked wave.',
}

/**
 * Handles Request Cancellation and the operators' signals. The run itself is never cancelled: it runs in a scope of its
 * own and follows the row. A cancel is applied at once, during any step; signals are applied by `apply`. `onChange` is
 * called on every request.
 */
export function handleOperatorRequests(messageId: string, onChange: () => void): OperatorRequests {
  const asked: OperatorMove[] = []
  let cancel: Promise<void> | undefined
  const requests: OperatorRequests = {
    busy: false,
    cancelled: false,
    async apply() {
      for (const move of asked.splice(0)) await applyOperatorMove(messageId, move)
      await cancel
    },
  }
  CancellationScope.current().cancelRequested.catch(() => {
    requests.busy = true
    cancel = CancellationScope.nonCancellable(async () => {
      await applyOperatorMove(messageId, 'cancel')
      Object.assign(requests, { busy: false, cancelled: true })
      onChange()
    })
  })
  for (const name of keysOf(operatorSignals)) {
    const description = meanings[name]
    const note = () => {
      asked.push(operatorSignals[name])
      onChange()
    }
    setHandler(defineSignal(name), note, { description })
  }
  return requests
}
