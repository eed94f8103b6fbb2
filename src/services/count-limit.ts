import { limits } from '../contract/limits.ts'
import { createSemaphore, type Semaphore } from './semaphore.ts'

/**
 * Counts of people that callers ask for, in this process: one may take seconds of Postgres, and one unit's must not
 * take the time of the others. Enter it before a transaction, so that no caller holds a connection while it waits.
 */
export const withCountLimit: Semaphore = createSemaphore({
  most: limits.countsPerUnit,
  waitMs: limits.countWaitMs,
  refusal: 'Your unit has other counts of people running. Try again in a moment.',
})
