import { limits } from '../contract/limits.ts'
import { createGate, type Gate } from './semaphore.ts'

/**
 * Counts of people that callers ask for, in this process: one may take seconds of Postgres, and one unit's must not
 * take the time of the others. Enter it before a transaction, so that nobody waits with a connection.
 */
export const whenMayCount: Gate = createGate({
  most: limits.countsPerUnit,
  waitMs: limits.countWaitMs,
  refusal: 'Your unit has other counts of people running. Try again in a moment.',
})
