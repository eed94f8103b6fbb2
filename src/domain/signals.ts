/**
 * Signals are named for what happened, for the reader of the history; none carries data, all make the run read its row.
 */
export const changedSignal = [
  'submitted',
  'approval',
  'rejection',
  'cancellation',
  'answer',
  'changed',
] as const
export type WakeReason = (typeof changedSignal)[number]

/** The kind of run to wake; the workflow id is `<kind>/<id>`. */
export type RunKind = 'message' | 'scenario' | 'schedule'

/** What an operator may request of a run in the Temporal UI: by Request Cancellation, or by one of these signals. */
export const operatorSignals = { retryParked: 'retry', skipParked: 'skip' } as const
export type OperatorMove = 'cancel' | (typeof operatorSignals)[keyof typeof operatorSignals]
