import { wakeRetimed } from '../../db/queries/pattern/deadline.ts'
import { wakePromoted } from '../../db/queries/pattern/registration.ts'
import type { Services } from '../context.ts'
import { wakeRuns } from '../scenarios/wake-runs.ts'

/** Runs that are woken in one transaction. */
const sliceSize = 500

/**
 * Wakes the runs whose person got a place, and those whose pattern has another deadline. Returns false if there are none.
 */
export async function wakePatternRuns(services: Pick<Services, 'db' | 'wake'>): Promise<boolean> {
  const { db } = services
  const promoted = await db.transaction().execute((trx) => wakePromoted(trx, sliceSize))
  wakeRuns(services, promoted, 'promoted')
  const retimed = await db.transaction().execute((trx) => wakeRetimed(trx, sliceSize))
  wakeRuns(services, retimed ?? [], 'retimed')
  return promoted.length === sliceSize || retimed !== null
}
