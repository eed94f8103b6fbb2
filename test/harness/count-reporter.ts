import { writeFileSync } from 'node:fs'
import type { Reporter, SerializedError, TestModule } from 'vitest/node'

/** What a run of tests came to. */
export interface Counts {
  passed: number
  failed: number
  skipped: number
}

/** Writes the counts of a run as JSON to the file named by CARILLON_COUNTS, for `npm test` to add up. */
export default class CountReporter implements Reporter {
  onTestRunEnd(modules: ReadonlyArray<TestModule>, errors: ReadonlyArray<SerializedError>): void {
    const file = process.env.CARILLON_COUNTS
    if (file) writeFileSync(file, JSON.stringify(countRun(modules, errors)))
  }
}

/**
 * A file or group that fails by itself (its import, its beforeAll, its leak check) counts as one failure, and
 * so does an error outside any test: neither may hide behind tests that passed or never ran.
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
