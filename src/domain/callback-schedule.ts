/**
 * Waits between the tries of one delivery, seconds: a first try and seven more over a day and four hours, as Standard
 * Webhooks proposes. The order of a message's deliveries is kept, so one that is behind another waits with it.
 */
const waits = [5, 300, 1_800, 7_200, 18_000, 36_000, 36_000] as const

/** How old a delivery may grow, seconds: one that had to wait for others is given up with them, not a day later. */
const lifetime = waits.reduce<number>((sum, wait) => sum + wait, 0)

/**
 * Seconds until the next try after `tries` that failed, the last one `age` seconds after it was written; null: given
 * up.
 */
export function secondsUntilRetry(tries: number, age: number): number | null {
  const wait = waits[tries - 1]
  return wait === undefined || age >= lifetime ? null : wait
}
