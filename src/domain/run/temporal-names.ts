import type { Channel } from '../../contract/enums.ts'

/**
 * Names in Temporal (docs/design/rows-and-runs.md); those of each kind of runs are in run-kinds.ts. Operators type
 * them; renaming one strands existing runs.
 */

/** The task queue of workflows and of activities that only touch Postgres. */
export const mainTaskQueue = 'carillon'

/** Each channel has its own task queue for sends, so that a slow provider cannot starve another. */
export const channelTaskQueue = (channel: Channel) => `carillon-${channel}`

/** The task queue of Lookups: a producer's slow endpoint holds up no send. */
export const lookupTaskQueue = 'carillon-lookup'

/**
 * The search attributes of a run, with their types. `CarillonUnit` and `CarillonCategory` hold ids; `CarillonPeople` is
 * the number of recipients when the message was submitted, or last returned to review.
 */
export const searchAttributes = {
  CarillonUnit: 'KEYWORD',
  CarillonUnitName: 'KEYWORD',
  CarillonCategory: 'KEYWORD',
  CarillonState: 'KEYWORD',
  CarillonOrigin: 'KEYWORD',
  CarillonProblem: 'KEYWORD',
  CarillonPeople: 'INT',
  CarillonSendAt: 'DATETIME',
} as const
