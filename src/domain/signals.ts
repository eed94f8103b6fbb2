/** Signals are named for what happened, so that a history reads as a story; none carries data, all mean "look again". */
export const changedSignal = [
  'submitted',
  'approval',
  'rejection',
  'cancellation',
  'answer',
  'changed',
] as const
export type WakeReason = (typeof changedSignal)[number]

/** Which durable run a poke is for; the workflow id is `<kind>/<id>`. */
export type RunKind = 'message' | 'scenario' | 'schedule'

/** What an operator may ask a run for in the Temporal UI: by Request Cancel, or by a signal of these names. */
export const operatorSignals = { retryParked: 'retry', skipParked: 'skip' } as const
export type OperatorMove = 'cancel' | (typeof operatorSignals)[keyof typeof operatorSignals]
