import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { backgroundFailures } from '../temporal/metrics.ts'

/** Work beside the runs that every worker process does again and again. */
export type Task = {
  /** Noun and verb: its name in the log, the metrics and docs/operating.md. */
  name: string
  /** The pause after a round that leaves nothing to do, ms. */
  everyMs: number
  /** One round. Answers whether there may be more to do at once. */
  run(): Promise<boolean>
  /** The pause after a round that fails, ms; `everyMs` where it is left out. */
  afterFailureMs?: number
  /**
   * How many rounds may run side by side; one where it is left out. A lane ends where there is nothing to do and opens
   * another where there is, so that an item that takes long holds up its own lane alone.
   */
  lanes?: number
  /** Waits for what rounds have begun without waiting for its end. */
  finish?(): Promise<void>
}

/** A task at work. */
export type RunningTask = {
  /** Begins nothing any more; resolves when all that was begun has ended. */
  stop(): Promise<void>
}

/** Starts a task: its first round at once, then one after another until it is stopped. */
export function pollLoop(task: Task, log: Logger): RunningTask {
  const stopping = new AbortController()
  const { everyMs, afterFailureMs = everyMs, run, finish } = task.lanes === undefined ? task : inLanes()
  const done = repeat()
  return {
    async stop() {
      stopping.abort()
      await done
      await finish?.()
    },
  }

  async function repeat(): Promise<void> {
    while (!stopping.signal.aborted) {
      const pauseMs = await run().then((more) => (more ? 0 : everyMs), failed)
      if (pauseMs > 0) await sleep(pauseMs, undefined, { signal: stopping.signal }).catch(() => {})
    }
  }

  function failed(err: unknown): number {
    backgroundFailures.inc({ task: task.name })
    log.warn({ task: task.name, err }, 'A round of a background task failed; it is tried again')
    return afterFailureMs
  }

  /** The same task, whose round opens a lane and waits for nothing. */
  function inLanes(): Task {
    const open = new Set<Promise<void>>()
    const openLane = () => {
      if (stopping.signal.aborted || open.size >= task.lanes!) return
      const lane = workOff()
        .catch(failed)
        .then(() => void open.delete(lane))
      open.add(lane)
    }
    const workOff = async () => {
      while (!stopping.signal.aborted && (await task.run())) openLane()
    }
    const run = async () => {
      openLane()
      return false
    }
    return { ...task, run, finish: async () => void (await Promise.all(open)) }
  }
}
