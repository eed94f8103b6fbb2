import { setTimeout as sleep } from 'node:timers/promises'
import { scaledTimeout } from './timeouts.ts'

const INTERVAL_MS = 25

/**
 * Waits until `check` no longer throws, and answers what it answers. It is for what must become true by itself:
 * nothing is done again, only looked at again. `limitMs` is what it takes at most on a quiet machine; it is waited for
 * much longer (`patience`).
 *
 * @throws the last failure, with the time waited.
 */
export async function eventually<T>(
  check: () => T | Promise<T>,
  { limitMs = 10_000 }: { limitMs?: number } = {},
): Promise<T> {
  const waitMs = scaledTimeout(limitMs)
  const deadline = performance.now() + waitMs
  for (;;) {
    try {
      return await check()
    } catch (error) {
      if (performance.now() > deadline) {
        if (error instanceof Error) error.message = `not within ${waitMs} ms: ${error.message}`
        throw error
      }
      await sleep(INTERVAL_MS)
    }
  }
}
