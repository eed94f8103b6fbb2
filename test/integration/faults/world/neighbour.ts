import { Worker } from 'node:worker_threads'
import { expect } from 'vitest'
import { eventually } from '../../../harness/eventually.ts'

/** `everyMs`: the time between two requests. */
export type NeighbourOptions = { url: string; key: string; tag: string; everyMs: number }

/** The response to one request. `at`: ms since the epoch; `status` 0: none; `putOff`: how often it was 503 before. */
export type Sample = { verb: string; at: number; ms: number; status: number; code: string; putOff: number }

/** A well-behaved caller that creates, reads and lists messages, in a thread of its own so that only the API delays it. */
export type Neighbour = {
  samples: readonly Sample[]
  /** Waits for this many more responses. */
  untilAnswered(count: number): Promise<void>
  stop(): Promise<void>
}

export function startNeighbour(options: NeighbourOptions): Neighbour {
  const worker = new Worker(new URL('./neighbour-thread.ts', import.meta.url), {
    workerData: options,
    execArgv: [],
  })
  const samples: Sample[] = []
  worker.on('message', (sample: Sample) => samples.push(sample))
  return {
    samples,
    async untilAnswered(count) {
      const enough = samples.length + count
      await eventually(() => expect(samples.length).toBeGreaterThanOrEqual(enough))
    },
    stop: async () => void (await worker.terminate()),
  }
}

/** The time within which a share of the samples were answered (ms). */
export function percentile(samples: readonly Sample[], share: number): number {
  const sorted = samples.map(({ ms }) => ms).toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}
