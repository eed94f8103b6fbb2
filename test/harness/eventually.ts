import { setTimeout as sleep } from 'node:timers/promises'
import { scaledTimeout } from './timeouts.ts'

const INTERVAL_MS = 25

/**
 * Retries `check` until it no longer throws, and returns its result. For conditions that become true without further
 * action: `check` only observes. `limitMs` is the most it takes on an idle machine; waits a multiple of it
 * (`scaledTimeout`).
 *
 * @throws the last failure, with the time waited
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
