/**
 * Waits between the tries of one delivery, in seconds: a first try and seven more over a day and four hours, as
 * Standard Webhooks recommends. A message's deliveries keep their order, so a later one waits for an earlier one.
 */
const waits = [5, 300, 1_800, 7_200, 18_000, 36_000, 36_000] as const

/** Maximum age of a delivery, in seconds: one that waited for others is exhausted with them, not a day later. */
const lifetime = waits.reduce<number>((sum, wait) => sum + wait, 0)

/**
 * Seconds until the next try after `tries` failed ones, the last of them `age` seconds after the delivery was written;
 * null: exhausted.
 */
export function secondsUntilRetry(tries: number, age: number): number | null {
  const wait = waits[tries - 1]
  return wait === undefined || age >= lifetime ? null : wait
}
