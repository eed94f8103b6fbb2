import { wakeRetimed } from '../../db/queries/pattern/deadline.ts'
import { findPromoted, forgetPromoted, wakePromoted } from '../../db/queries/pattern/registration.ts'
import { parkRun } from '../../db/queries/run/step-failure.ts'
import { byHalves } from '../by-halves.ts'
import type { Services } from '../context.ts'
import { wakeRuns } from '../wake-scenario-runs.ts'

/** Runs that are woken in one transaction. */
const sliceSize = 500

/**
 * Wakes the runs whose person got a place, and those whose pattern has another deadline. Returns false if there are none. A
 * run of the first kind for which that fails is parked, and reads its place when it goes on.
 */
export async function wakePatternRuns(
  services: Pick<Services, 'db' | 'wake'> & Partial<Pick<Services, 'log'>>,
): Promise<boolean> {
  const { db, log } = services
  const promoted = await findPromoted(db, sliceSize)
  await byHalves(
    db,
    promoted,
    async (ids) =>
      wakeRuns(services, await db.transaction().execute((trx) => wakePromoted(trx, ids)), 'promoted'),
    async (id, err) => {
      const failures = await parkRun(db, { kind: 'scenario', id })
      await forgetPromoted(db, id)
      log?.warn({ runId: id, failures, err }, 'A run that got a place could not be woken')
    },
  )
  const retimed = await db.transaction().execute((trx) => wakeRetimed(trx, sliceSize))
  wakeRuns(services, retimed ?? [], 'retimed')
  return promoted.length === sliceSize || retimed !== null
}
