import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { inFullCounts } from '../../harness/timeouts.ts'

/**
 * What a visit takes from the thread that everybody shares, in ms: of the processor, and the longest go of it by the
 * clock.
 */
type Hold = { name: string; processor: number; longest: number }

const holds: Hold[] = []

/** Measures a visit in full counts, which have the machine for themselves; only calls it otherwise. */
export async function holdOf<T>(name: string, visit: () => Promise<T>): Promise<T> {
  if (!inFullCounts) return visit()
  const delay = monitorEventLoopDelay({ resolution: 1 })
  const before = process.threadCpuUsage()
  delay.enable()
  try {
    return await visit()
  } finally {
    await sleep(5) // so that the monitor sees what held the loop up last
    delay.disable()
    const { user, system } = process.threadCpuUsage(before)
    holds.push({ name, processor: (user + system) / 1_000, longest: delay.max / 1e6 })
  }
}

/** The visits that take most, in lines for docs/reliability.md. */
export function longestHolds(most = 25): string[] {
  return holds
    .toSorted((one, other) => other.processor - one.processor)
    .slice(0, most)
    .map(
      ({ name, processor, longest }) =>
        `- \`${name}\`: ${processor.toFixed(0)} ms, at most ${longest.toFixed(0)} ms in one go`,
    )
}
