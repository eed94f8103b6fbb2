import { admitRuns, beginAtOnce } from '../../db/queries/scenario-run/start.ts'
import type { Services } from '../context.ts'
import { telling, wakeRuns } from '../wake-scenario-runs.ts'

/**
 * Lets runs that stand in line begin as earlier ones of their unit have taken their first step, so that Temporal never
 * holds more of them than are worked off soon. Returns false if none may begin now. A wake that is lost is the
 * reconciler's.
 */
export async function admitNextRuns(services: Pick<Services, 'db' | 'wake'>): Promise<boolean> {
  const ids = await admitRuns(services.db, beginAtOnce)
  wakeRuns(services, telling('started', ids))
  return ids.length > 0
}
