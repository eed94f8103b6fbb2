import { setTimeout as sleep } from 'node:timers/promises'
import { NativeConnection, type Worker } from '@temporalio/worker'
import type { Logger } from 'pino'

/** The workers of a process, kept at work whatever happens to Temporal. */
export type Crew = {
  /** Takes no more work and lets what is under way finish, as long as the shutdown grace time allows. */
  stop(): Promise<void>
}

/** Between two tries to reach Temporal, ms. */
const pauseMs = 1_000

/** Connects and works until told to stop: a Temporal that is not up yet, or goes away for good, is waited for. */
export function keepAtWork(
  address: string,
  makeWorkers: (connection: NativeConnection) => Promise<Worker[]>,
  log: Logger,
): Crew {
  const stopping = new AbortController()

  async function shift(): Promise<void> {
    const connection = await NativeConnection.connect({ address })
    try {
      await workUntil(stopping.signal, await makeWorkers(connection))
    } finally {
      await connection.close()
    }
  }

  async function shifts(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await shift()
      } catch (err) {
        log.warn({ err }, 'the workers cannot work; tries again')
        await sleep(pauseMs, undefined, { signal: stopping.signal }).catch(() => {})
      }
    }
  }

  const done = shifts()
  return {
    async stop() {
      stopping.abort()
      await done
    },
  }
}

/** Runs all workers until told to stop; where one fails, the others are stopped too. */
async function workUntil(stopping: AbortSignal, workers: Worker[]): Promise<void> {
  const stopAll = () => {
    for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown()
  }
  stopping.addEventListener('abort', stopAll)
  const running = workers.map((worker) => worker.run())
  if (stopping.aborted) stopAll()
  try {
    await Promise.all(running)
  } finally {
    stopping.removeEventListener('abort', stopAll)
    stopAll()
    await Promise.allSettled(running)
  }
}
