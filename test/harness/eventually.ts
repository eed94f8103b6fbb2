import { setTimeout as sleep } from 'node:timers/promises'

const INTERVAL_MS = 25

/**
 * Waits until `check` no longer throws, and answers what it answers. It is for what must become true by itself:
 * nothing is done again, only looked at again.
 *
 * @throws the last failure, with the time waited.
 */
export async function eventually<T>(
  check: () => T | Promise<T>,
  { timeoutMs = 30_000 }: { timeoutMs?: number } = {},
): Promise<T> {
  const deadline = Date.now() + timeoutMs
  for (;;) {
    try {
      return await check()
    } catch (error) {
      if (Date.now() > deadline) {
        if (error instanceof Error) error.message = `not within ${timeoutMs} ms: ${error.message}`
        throw error
      }
      await sleep(INTERVAL_MS)
    }
  }
}
