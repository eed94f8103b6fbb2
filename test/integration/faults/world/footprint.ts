import { existsSync, readFileSync, writeFileSync } from 'node:fs'

/** The most memory that a process has had since the last `forgetMemory` (MiB); undefined where /proc does not tell. */
export function largestMemory(pid: number): number | undefined {
  const file = `/proc/${pid}/status`
  if (!existsSync(file)) return undefined
  const [, kib] = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(file, 'utf8')) ?? []
  return kib === undefined ? undefined : Math.round(Number(kib) / 1_024)
}

/** Begins the measurement of `largestMemory` anew (5: proc(5), clear_refs). */
export function forgetMemory(pid: number): void {
  const file = `/proc/${pid}/clear_refs`
  if (existsSync(file)) writeFileSync(file, '5')
}

/** The longest delay of a process' event loop since the last scrape (ms), from its metrics. */
export async function longestLoopDelay(metricsUrl: string): Promise<number> {
  const text = await (await fetch(metricsUrl)).text()
  const [, seconds] = /^nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(text) ?? []
  return Math.round(1_000 * Number(seconds))
}
