import { writeFileSync } from 'node:fs'
import { stripVTControlCharacters } from 'node:util'
import type { Reporter, SerializedError, TestCase, TestModule, TestSuite } from 'vitest/node'

/** The counts of a test run. `failures`: where each one is, with the first line of each thing it says. */
export interface Counts {
  passed: number
  skipped: number
  failures: string[]
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
function countRun(modules: ReadonlyArray<TestModule>, errors: ReadonlyArray<SerializedError>): Counts {
  const counts: Counts = {
    passed: 0,
    skipped: 0,
    failures: errors.map((error) => failureOf('no file', [error])),
  }
  for (const module of modules) {
    for (const test of module.children.allTests()) {
      const { state, errors: reasons = [] } = test.result()
      if (state === 'passed' || state === 'skipped') counts[state] += 1
      else counts.failures.push(failureOf(nameOf(test), reasons))
    }
    for (const group of [module, ...module.children.allSuites()])
      counts.failures.push(...group.errors().map((error) => failureOf(nameOf(group), [error])))
  }
  return counts
}

function nameOf(at: TestModule | TestSuite | TestCase): string {
  return at.type === 'module' ? at.relativeModuleId : `${at.module.relativeModuleId} > ${at.fullName}`
}

function failureOf(where: string, errors: ReadonlyArray<Pick<SerializedError, 'message'>>): string {
  const lines = errors.map(({ message }) => stripVTControlCharacters(message).split('\n')[0])
  return `${where}: ${lines.join(' · ') || 'did not end'}`
}
