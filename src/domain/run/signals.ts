/** The signal that makes a run read its row. */
export const changedSignal = 'changed'

/** The signal's argument: what happened, for the reader of the history. The run ignores it. */
export type WakeReason =
  | 'started'
  | 'submitted'
  | 'edited'
  | 'approved'
  | 'rejected'
  | 'cancelled'
  | 'paused'
  | 'resumed'
  | 'stopped'
  | 'retried'
  | 'deleted'
  | 'answered'
  | 'promoted'
  | 'retimed'
  | 'overdue'

/** What an operator may request of a run in the Temporal UI: by Request Cancellation, or by one of these signals. */
export const operatorSignals = { retryParked: 'retry', skipParked: 'skip' } as const
export type OperatorMove = 'cancel' | (typeof operatorSignals)[keyof typeof operatorSignals]
