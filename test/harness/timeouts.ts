/** Fault tests repeat as often as in `npm run test:faults`; false: as in `npm test`. */
export const inFullCounts = process.env.FAULT_COUNTS === 'full'

/** `npm test` runs beside whatever else keeps its machine busy; full counts are run on a machine of their own. */
const timesTheLimit = inFullCounts ? 3 : 10

/**
 * How long a test waits for something before it fails, ms. `limitMs` is how long that takes at most on a quiet machine,
 * or what is promised of it. How long it really took is printed where it is of interest, and never asserted.
 */
export function scaledTimeout(limitMs: number): number {
  return timesTheLimit * limitMs
}
