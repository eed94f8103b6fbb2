import { parkRun } from '../../db/queries/run/step-failure.ts'
import { findRetiring, findToRetire, retireRuns } from '../../db/queries/scenario-run/farewell.ts'
import { byHalves } from '../by-halves.ts'
import type { Services } from '../context.ts'
import { telling, wakeRuns } from '../wake-scenario-runs.ts'

/** Runs that are ended in one transaction. */
const sliceSize = 500

/**
 * Ends open runs of a retired scenario, or makes them say the farewell of their version; one for which that fails is
 * parked. Returns false if there are none.
 */
export async function retireNextRuns({
  db,
  log,
  ...services
}: Pick<Services, 'db' | 'wake'> & Partial<Pick<Services, 'log'>>): Promise<boolean> {
  const scenarioId = await findRetiring(db)
  if (!scenarioId) return false
  const runs = await findToRetire(db, scenarioId, sliceSize)
  await byHalves(
    db,
    runs,
    async (ids) => {
      const woken = await db.transaction().execute((trx) => retireRuns(trx, scenarioId, ids))
      wakeRuns(services, telling('cancelled', woken))
    },
    async (id, err) =>
      log?.warn(
        { runId: id, failures: await parkRun(db, { kind: 'scenario', id }), err },
        'A run could not be retired',
      ),
  )
  return runs.length > 0
}
