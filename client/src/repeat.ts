import { CarillonError } from './error.ts'

/** How a call is repeated. */
export type RepeatOptions<T = unknown> = {
  /**
   * Whether a second attempt does no harm if the first one took effect, so that a lost answer and a 503 are repeated too. A
   * 429 always is: the service refused the call before it did anything.
   */
  repeatable: boolean
  /** How often at most. */
  maxRetries: number
  /** How long it waits at most, all waits together, in ms. */
  maxWaitMs: number
  /**
   * What the call answers if a repeat is refused because an earlier attempt, whose answer was lost, has done it;
   * undefined if that is not why.
   */
  doneBefore?: (refusal: CarillonError) => T | Promise<T> | undefined
  signal?: AbortSignal | undefined
}

/** In ms, before the first repeat; each further one waits twice as long. */
const firstWait = 500

/**
 * Makes attempts until one succeeds, fails for good, or is the last. It waits as long as the service asks
 * (Retry-After), and at least a little longer each time, at random so that many callers do not come back at once. What
 * would take longer than `maxWaitMs` it leaves to the caller, who learns from `retryAfter` how long the service wants
 * to be left alone.
 * @throws CarillonError of the last attempt; the reason of `signal` if it aborts a wait
 */
export async function repeat<T>(
  attempt: () => Promise<T>,
  { repeatable, maxRetries, maxWaitMs, doneBefore, signal }: RepeatOptions<T>,
): Promise<T> {
  let mayHaveWorked = false
  let waited = 0
  for (let retries = 0; ; retries++) {
    try {
      return await attempt()
    } catch (error) {
      if (!(error instanceof CarillonError)) throw error
      const done = mayHaveWorked ? await doneBefore?.(error) : undefined
      if (done !== undefined) return done
      const least = Math.max((error.retryAfter ?? 0) * 1_000, firstWait * 2 ** retries)
      if (retries >= maxRetries || waited + least > maxWaitMs || !helps(error, repeatable)) throw error
      mayHaveWorked ||= error.status !== 429
      const wait = Math.min(least * (1 + Math.random() / 4), maxWaitMs - waited)
      waited += wait
      await pause(wait, signal)
    }
  }
}

/** Whether the same call may succeed a little later, without doing anything twice. */
function helps({ status, code }: CarillonError, repeatable: boolean): boolean {
  if (status === 429) return true
  return repeatable && (status === 0 || (status === 503 && code !== 'not_configured'))
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((done, failed) => {
    const abort = () => {
      clearTimeout(timer)
      failed(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort)
      done()
    }, ms)
    if (signal?.aborted) abort()
    else signal?.addEventListener('abort', abort, { once: true })
  })
}
