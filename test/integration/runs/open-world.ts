import { buildWorld, type World } from '../../fixtures/runs.ts'
import { freshDatabase } from '../../harness/database.ts'
import { freshNamespace } from '../../harness/namespace.ts'

/** A world of its own for one test file. */
export async function openWorld(): Promise<World> {
  const [database, place] = await Promise.all([freshDatabase(), freshNamespace()])
  const world = buildWorld({ ...place, db: database.db })
  return {
    ...world,
    async close() {
      await world.close()
      await database.drop()
    },
  }
}
