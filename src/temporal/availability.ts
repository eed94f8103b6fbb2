import type { Logger } from 'pino'

/** Whether Temporal can be asked to start runs. What fails here only waits: the rows keep what is to be done. */
export type Availability = {
  /** Quick to say no while Temporal is away: it is asked again only now and then, by one caller at a time. */
  ready(): Promise<boolean>
  /** A call failed. It may have been at fault itself, so Temporal is asked before the next one. */
  doubt(): void
}

/** Pauses between tries to reach Temporal again, ms: the first, and the longest they grow to. */
const pauses = { first: 250, longest: 2_000 }

/** `prepare` fails where Temporal does not answer or lacks our search attributes; it is called until it succeeds. */
export function createAvailability(prepare: () => Promise<void>, log: Logger): Availability {
  let known = false
  let silent = false
  let pauseMs = pauses.first
  let quietUntil = 0
  let asking: Promise<boolean> | undefined

  function lost(error: unknown): void {
    if (!silent) log.warn({ reason: reasonOf(error) }, 'Temporal cannot be reached; runs go on when it can')
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
    if (silent) log.info('Temporal can be reached again')
    silent = false
    known = true
    pauseMs = pauses.first
    return true
  }

  return {
    async ready() {
      if (known) return true
      if (performance.now() < quietUntil) return false
      asking ??= ask().finally(() => {
        asking = undefined
      })
      return asking
    },
    doubt() {
      known = false
    },
  }
}

/** The words of an error from Temporal and of what caused it. They name the server and our own things, never people. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message
}
