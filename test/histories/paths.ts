import type { RunKind } from '../../src/domain/run/run-kinds.ts'
import type { RunsFixture } from '../fixtures/runs.ts'
import { messagePaths } from './message-paths.ts'
import { scenarioPaths } from './scenario-paths.ts'
import { schedulePaths } from './schedule-paths.ts'

/** Every path a run can take: each is recorded once, and replayed by every later version of the code. */
export const paths: Record<RunKind, Record<string, (runs: RunsFixture) => Promise<string>>> = {
  message: messagePaths,
  scenario: scenarioPaths,
  schedule: schedulePaths,
}
