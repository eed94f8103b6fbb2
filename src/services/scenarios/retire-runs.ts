import { findRetiring, retireRuns } from '../../db/queries/scenario/farewell.ts'
import type { Services } from '../context.ts'
import { wakeRuns } from './wake-runs.ts'

/** Runs that are ended in one transaction. */
const sliceSize = 500

/** Ends open runs of a retired scenario, or makes them say its farewell. Returns false if there are none. */
export async function retireNextRuns(services: Pick<Services, 'db' | 'wake'>): Promise<boolean> {
  const scenario = await findRetiring(services.db)
  if (!scenario) return false
  const ids = await services.db.transaction().execute((trx) => retireRuns(trx, scenario, sliceSize))
  wakeRuns(services, ids, 'cancelled')
  return ids.length > 0
}
