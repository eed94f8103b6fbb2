import { buildRuns, type RunsFixture } from '../../fixtures/runs.ts'
import { freshDatabase } from '../../harness/database.ts'
import { freshNamespace } from '../../harness/namespace.ts'

/** A world of its own for one test file. */
export async function openRuns(): Promise<RunsFixture> {
  const [database, place] = await Promise.all([freshDatabase(), freshNamespace()])
  const runs = buildRuns({ ...place, db: database.db })
  return {
    ...runs,
    async close() {
      await runs.close()
      await database.drop()
    },
  }
}
