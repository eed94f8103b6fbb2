import { writeFileSync } from 'node:fs'
import type { Reporter, SerializedError, TestModule } from 'vitest/node'

/** The counts of a test run. */
export interface Counts {
  passed: number
  failed: number
  skipped: number
}

/** Writes the counts of a run as JSON to the file CARILLON_COUNTS, for `npm test` to add up. */
export default class CountReporter implements Reporter {
  onTestRunEnd(modules: ReadonlyArray<TestModule>, errors: ReadonlyArray<SerializedError>): void {
    const file = process.env.CARILLON_COUNTS
    if (file) writeFileSync(file, JSON.stringify(countRun(modules, errors)))
  }
}

/**
 * A file or group that fails outside its tests (import, beforeAll, leak check) counts as one failure, as does an error
 * outside any file, so that passed or skipped tests do not hide it.
 */
export function countRun(modules: ReadonlyArray<TestModule>, errors: ReadonlyArray<SerializedError>): Counts {
  const counts: Counts = { passed: 0, failed: errors.length, skipped: 0 }
  for (const module of modules) {
    for (const test of module.children.allTests()) {
      const { state } = test.result()
      counts[state === 'pending' ? 'failed' : state] += 1
    }
    for (const group of [module, ...module.children.allSuites()]) counts.failed += group.errors().length
  }
  return counts
}
