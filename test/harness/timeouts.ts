/** Whether fault tests repeat as often as in `npm run test:faults`, instead of as in `npm run test:all`. */
export const inFullCounts = process.env.FAULT_COUNTS === 'full'

/** Higher for `npm test`, which may share its machine; full counts run on a dedicated one. */
const timesTheLimit = inFullCounts ? 3 : 10

/**
 * How long a test waits for a condition before it fails (ms). `limitMs`: the most it takes on an idle machine, or the
 * documented limit. The time it took is printed where relevant and never asserted.
 */
export function scaledTimeout(limitMs: number): number {
  return timesTheLimit * limitMs
}
