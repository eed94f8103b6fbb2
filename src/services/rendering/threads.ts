import { Piscina } from 'piscina'
import type { TaskInput, TaskName } from './tasks.ts'
import type { Errand, Rendered } from './thread.ts'

/** The threads of a process that render. They start when there is something to do, and end some time after. */
export type Threads = {
  /** @throws EscapedError; what the task throws */
  run<Name extends TaskName>(name: Name, input: TaskInput<Name>): Promise<Rendered<Name>>
  close(): Promise<void>
}

/** A task took so long that its thread was ended. Its steps should have stopped it before: this one was let through. */
export class EscapedError extends Error {}

/** A unit has one at a time, so one whose task escapes does not hold up the others. */
const threadsMost = 2
/** Lower than that of the threads that serve and send. */
const niceness = 3
const idleMs = 10_000
const memoryMb = 256
/** How long a task may take at most, looked at from time to time, once its thread has begun it (ms). */
type Cap = { capMs: number; lookMs: number }

/** Starts none before the first task. `cap`: other limits, for tests. */
export function openThreads(cap: Cap = { capMs: 10_000, lookMs: 500 }): Threads {
  let pool: Piscina<Errand, Rendered> | undefined
  return {
    async run(name, input) {
      const begun = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
      const { signal, stop } = signalAfter(begun, cap)
      try {
        pool ??= openPool()
        return (await pool.run({ name, input, begun }, { signal })) as Rendered<typeof name>
      } catch (error) {
        if (signal.aborted || isOutOfMemory(error)) throw new EscapedError(`the task ${name} was ended`)
        throw error
      } finally {
        stop()
      }
    },
    async close() {
      await pool?.destroy()
      pool = undefined
    },
  }
}

function openPool(): Piscina<Errand, Rendered> {
  return new Piscina({
    filename: new URL('./thread.ts', import.meta.url).href,
    minThreads: 0,
    maxThreads: threadsMost,
    idleTimeout: idleMs,
    niceIncrement: niceness,
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
  })
}

/** Aborts once the task has been under way for the longest time; until its thread has started, that may take a while. */
function signalAfter(begun: Int32Array, { capMs, lookMs }: Cap): { signal: AbortSignal; stop: () => void } {
  const abort = new AbortController()
  let looks = 0
  const timer = setInterval(() => {
    if (Atomics.load(begun, 0) === 1) looks += 1
    if (looks * lookMs > capMs) abort.abort()
  }, lookMs)
  return { signal: abort.signal, stop: () => clearInterval(timer) }
}

function isOutOfMemory(error: unknown): boolean {
  return (error as { code?: string }).code === 'ERR_WORKER_OUT_OF_MEMORY'
}
