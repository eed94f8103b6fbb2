import type { Logger } from 'pino'

/** Whether Temporal can start runs. While it cannot, nothing is lost: the rows keep what is due. */
export type Availability = {
  /** Returns false quickly while Temporal is unavailable: one caller at a time checks it, at growing intervals. */
  isAvailable(): Promise<boolean>
  /** After a failed call: the failure may be the call's own, so Temporal is checked before the next call. */
  recheck(): void
}

/** The first and the longest pause between checks (ms). */
const pauses = { first: 250, longest: 2_000 }

/**
 * `prepare` is called until it succeeds; it throws if Temporal does not answer or lacks Carillon's search attributes.
 */
export function createAvailability(prepare: () => Promise<void>, log: Logger): Availability {
  let isUp = false
  let silent = false
  let pauseMs = pauses.first
  let quietUntil = 0
  let asking: Promise<boolean> | undefined

  function lost(error: unknown): void {
    if (!silent)
      log.warn({ reason: reasonOf(error) }, 'Temporal is unavailable; runs continue when it is back')
    silent = true
    quietUntil = performance.now() + pauseMs
    pauseMs = Math.min(pauseMs * 2, pauses.longest)
  }

  async function ask(): Promise<boolean> {
    try {
      await prepare()
    } catch (error) {
      lost(error)
      return false
    }
    if (silent) log.info('Temporal is available again')
    silent = false
    isUp = true
    pauseMs = pauses.first
    return true
  }

  return {
    async isAvailable() {
      if (isUp) return true
      if (performance.now() < quietUntil) return false
      asking ??= ask().finally(() => {
        asking = undefined
      })
      return asking
    },
    recheck() {
      isUp = false
    },
  }
}

/**
 * The message of an error from Temporal and of its cause. They name the server and Carillon's objects, never people.
 */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message
}
