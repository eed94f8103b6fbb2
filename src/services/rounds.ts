import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'

/** Something that goes on beside the runs until it is stopped. */
export type Rounds = { stop(): Promise<void> }

/**
 * Does a job again and again until it is stopped; every worker process may. `job` answers whether there may be more to do
 * at once; otherwise, and after a failure, it comes again after `everyMs`. `what` names it in the log.
 */
export function startRounds(
  { log, what, everyMs }: { log: Logger; what: string; everyMs: number },
  job: () => Promise<boolean>,
): Rounds {
  const stopping = new AbortController()
  const done = rounds()
  return {
    async stop() {
      stopping.abort()
      await done
    },
  }

  async function rounds(): Promise<void> {
    while (!stopping.signal.aborted) {
      const more = await job().catch((err: unknown) => {
        log.warn({ what, err }, 'a round failed; it comes again')
        return false
      })
      if (!more) await sleep(everyMs, undefined, { signal: stopping.signal }).catch(() => {})
    }
  }
}
