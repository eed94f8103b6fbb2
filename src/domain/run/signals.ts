import type { RunKind } from './run-kinds.ts'

/**
 * What the run of each kind is told, by the name of the signal, after the commit of what it tells. A signal decides nothing:
 * it makes the run read its row. Each has a sentence for who looks at a run in the Temporal UI.
 */
export const signals = {
  message: {
    submitted: 'The message was submitted for approval.',
    approved: 'A person approved the message, or its automatic check did.',
    rejected: 'A person rejected the message.',
    withdrawn: 'Its unit took the message back, to edit it.',
    cancelled: 'The message was cancelled, or its reminder.',
    paused: 'The send was paused.',
    resumed: 'The send goes on.',
    stopped: 'The send was stopped: who is left is skipped.',
    retried: 'What is parked is to be tried now.',
    skipped: 'Who is left of a parked wave is skipped.',
    overdue: 'The reconciler saw no sign of the run in time.',
  },
  scenario: {
    started: 'The run has begun.',
    answered: 'The person has answered.',
    handoffClosed: 'The handoff was closed.',
    placePromoted: 'The person got a place of the pattern.',
    deadlineMoved: 'The pattern has another deadline.',
    cancelled: 'The run was ended.',
    overdue: 'The reconciler saw no sign of the run in time.',
  },
  schedule: {
    started: 'The schedule was created.',
    edited: 'The schedule was changed.',
    deleted: 'The schedule was deleted.',
    overdue: 'The reconciler saw no sign of the run in time.',
  },
} as const satisfies Record<RunKind, Record<string, string>>

export type SignalName<Kind extends RunKind = RunKind> = {
  [Each in Kind]: keyof (typeof signals)[Each] & string
}[Kind]

/**
 * A signal. `by`: who made the move that it tells, an id; `version`: of the row after it; `turn`: which of the run's turns was
 * answered.
 */
export type RunSignal<Kind extends RunKind = RunKind> = {
  name: SignalName<Kind>
  by?: string
  version?: number
  turn?: number
}

/** What a signal carries: of the newest thing that it tells; `also`: what happened before, in order. */
export type SignalArgument = Omit<RunSignal, 'name'> & { also?: RunSignal[] }

/** How many things one signal tells at most; of more, the newest. */
const toldMost = 20

/** What waits to be told to a run, with what has happened since. */
export function toldWith(before: readonly RunSignal[], since: readonly RunSignal[]): RunSignal[] {
  return [...before, ...since].slice(-toldMost)
}

/** One signal for all that happened to a run, oldest first: it is named for the newest. */
export function signalOf(told: readonly RunSignal[]): { name: SignalName; args: SignalArgument[] } {
  const { name, ...facts } = told.at(-1)!
  const also = told.slice(0, -1)
  const argument = { ...facts, ...(also.length > 0 && { also }) }
  return { name, args: Object.keys(argument).length > 0 ? [argument] : [] }
}

/** Actors are ids; any other text in a signal is somebody's who has sent it by hand. */
const actor = /^(?:person|key|event|scenario|schedule|system|operator):[\w.-]{1,64}$/

/** What a signal tells, oldest first. Anybody may send one by hand, with anything in it: what does not belong is dropped. */
export function toldBy<Kind extends RunKind>(
  kind: Kind,
  name: SignalName<Kind>,
  argument: unknown,
): RunSignal<Kind>[] {
  const { also = [] } = fieldsOf(argument)
  const before = (Array.isArray(also) ? also.slice(-toldMost) : []).flatMap((one) => {
    const { name: named } = fieldsOf(one)
    return typeof named === 'string' && Object.hasOwn(signals[kind], named)
      ? [signalFrom<Kind>(named as SignalName<Kind>, one)]
      : []
  })
  return [...before, signalFrom(name, argument)]
}

function signalFrom<Kind extends RunKind>(name: SignalName<Kind>, argument: unknown): RunSignal<Kind> {
  const { by, version, turn } = fieldsOf(argument)
  return {
    name,
    ...(typeof by === 'string' && actor.test(by) && { by }),
    ...(Number.isSafeInteger(version) && { version: version as number }),
    ...(Number.isSafeInteger(turn) && { turn: turn as number }),
  }
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

/** What an operator may request of a run in the Temporal UI: by Request Cancellation, or by one of these signals. */
export const operatorSignals = { retryParked: 'retry', skipParked: 'skip' } as const
export type OperatorMove = 'cancel' | (typeof operatorSignals)[keyof typeof operatorSignals]
