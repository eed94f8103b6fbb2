import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { backgroundFailures } from '../metrics/rows.ts'

/** Recurring work outside runs, done by every worker process. */
export type Task = {
  /** Noun and verb; used in the log, the metrics and docs/operating.md. */
  name: string
  /** The pause after a round that leaves nothing to do (ms). */
  everyMs: number
  /** Runs one round. Returns whether there may be more to do at once. */
  run(): Promise<boolean>
  /** The pause after a failed round (ms); defaults to `everyMs`. */
  afterFailureMs?: number
  /**
   * How many rounds may run in parallel; defaults to one. A lane that finds work opens another and one that finds none
   * ends, so that a slow item delays only its own lane.
   */
  lanes?: number
  /** Waits for work that rounds have started and not awaited. */
  finish?(): Promise<void>
}

/** A started task. */
export type RunningTask = {
  /** Starts no further round; resolves when all started work has ended. */
  stop(): Promise<void>
}

/** Runs a task round after round, the first at once, until it is stopped. */
export function pollLoop(task: Task, log: Logger): RunningTask {
  backgroundFailures.inc({ task: task.name }, 0)
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
    log.warn({ task: task.name, err }, 'A background task failed; retrying after a pause')
    return afterFailureMs
  }

  /** The same task with a round that opens a lane and does not wait for it. */
  function inLanes(): Task {
    const open = new Set<Promise<void>>()
    const openLane = () => {
      if (stopping.signal.aborted || open.size >= task.lanes!) return
      const lane = runLane()
        .catch(failed)
        .then(() => void open.delete(lane))
      open.add(lane)
    }
    const runLane = async () => {
      while (!stopping.signal.aborted && (await task.run())) openLane()
    }
    const run = async () => {
      openLane()
      return false
    }
    return { ...task, run, finish: async () => void (await Promise.all(open).then(() => task.finish?.())) }
  }
}
