import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'

/** Something that goes on beside the runs until it is stopped. */
export type Rounds = { stop(): Promise<void> }
/** `what` names it in the log; `everyMs`: how often it is looked whether there is something to do. */
type About = { log: Logger; what: string; everyMs: number }

/**
 * Does a job again and again until it is stopped; every worker process may. `job` answers whether there may be more to do
 * at once; otherwise, and after a failure, it comes again after `everyMs`.
 */
export function startRounds({ log, what, everyMs }: About, job: () => Promise<boolean>): Rounds {
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

/**
 * Works off one item after another in up to `lanes` lanes side by side, until it is stopped. `next` does one, and answers
 * whether there was any. A lane ends where there is none and opens another where there is, so that an item that takes long
 * holds up its own lane alone.
 */
export function startLanes(
  { lanes, ...about }: About & { lanes: number },
  next: () => Promise<boolean>,
): Rounds {
  const open = new Set<Promise<void>>()
  let stopped = false
  const rounds = startRounds(about, async () => {
    openLane()
    return false
  })
  return {
    async stop() {
      stopped = true
      await rounds.stop()
      await Promise.all(open)
    },
  }

  function openLane(): void {
    if (stopped || open.size >= lanes) return
    const lane = workOff()
      .catch((err: unknown) => about.log.warn({ what: about.what, err }, 'a round failed; it comes again'))
      .finally(() => open.delete(lane))
    open.add(lane)
  }

  async function workOff(): Promise<void> {
    while (!stopped && (await next())) openLane()
  }
}
