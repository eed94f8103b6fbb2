/** The one signal of a run: the message changed, read its row. */
export const changedSignal = 'changed'

/** What happened, as the signal's argument: for the reader of the history. The run ignores it. */
export type WakeReason =
  | 'submitted'
  | 'edited'
  | 'approved'
  | 'rejected'
  | 'cancelled'
  | 'paused'
  | 'resumed'
  | 'stopped'
  | 'retried'
  | 'overdue'

/** What an operator may request of a run in the Temporal UI: by Request Cancellation, or by one of these signals. */
export const operatorSignals = { retryParked: 'retry', skipParked: 'skip' } as const
export type OperatorMove = 'cancel' | (typeof operatorSignals)[keyof typeof operatorSignals]
