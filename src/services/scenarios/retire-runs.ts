import { findRetiring, retireRuns } from '../../db/queries/scenario/farewell.ts'
import type { Services } from '../context.ts'
import { wakeRuns } from './wake-runs.ts'

/** Runs that are ended in one transaction. */
const sliceSize = 500

/** Ends open runs of a retired scenario, or makes them say the farewell of their version. Returns false if there are none. */
export async function retireNextRuns(services: Pick<Services, 'db' | 'wake'>): Promise<boolean> {
  const scenarioId = await findRetiring(services.db)
  if (!scenarioId) return false
  const ids = await services.db.transaction().execute((trx) => retireRuns(trx, scenarioId, sliceSize))
  wakeRuns(services, ids, 'cancelled')
  return ids.length > 0
}
