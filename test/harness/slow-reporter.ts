import type { Reporter, TestModule } from 'vitest/node'

/** Where the time of a test file went, in ms of wall time. `setUp`: imports and hooks, all that is not a test. */
export interface FileTime {
  file: string
  total: number
  setUp: number
}

const mostFiles = 30

/** Prints the slowest files of a run, each with the share of set-up, and the sums over all files. */
export default class SlowReporter implements Reporter {
  onTestRunEnd(modules: ReadonlyArray<TestModule>): void {
    if (modules.length > 1) process.stdout.write(`${describeTimes(modules.map(timeOf))}\n`)
  }
}

/** The sums over all files, and a line for each of the slowest, the slowest first. */
export function describeTimes(times: readonly FileTime[]): string {
  const slowest = times.toSorted((one, other) => other.total - one.total).slice(0, mostFiles)
  const sum = (what: 'total' | 'setUp') => times.reduce((all, time) => all + time[what], 0)
  const all = { total: sum('total'), setUp: sum('setUp') }
  return [
    `${times.length} files took ${lineOf(all)} The slowest ${slowest.length}:`,
    ...slowest.map((time) => `  ${lineOf(time)} ${time.file}`),
  ].join('\n')
}

function lineOf({ total, setUp }: Pick<FileTime, 'total' | 'setUp'>): string {
  const share = total === 0 ? 0 : Math.round((100 * setUp) / total)
  return `${(total / 1_000).toFixed(1).padStart(6)} s, ${String(share).padStart(2)} % set-up.`
}

function timeOf(module: TestModule): FileTime {
  const { environmentSetupDuration, prepareDuration, setupDuration, collectDuration, duration } =
    module.diagnostic()
  let tests = 0
  for (const test of module.children.allTests()) tests += test.diagnostic()?.duration ?? 0
  const before = environmentSetupDuration + prepareDuration + setupDuration + collectDuration
  // Concurrent tests together take longer than their file.
  const hooks = Math.max(0, duration - tests)
  return { file: module.relativeModuleId, total: before + duration, setUp: before + hooks }
}
