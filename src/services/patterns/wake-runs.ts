import { deferRetimed, findRetimed, wakeRetimed } from '../../db/queries/pattern/deadline.ts'
import { findPromoted, forgetPromoted, wakePromoted } from '../../db/queries/pattern/registration.ts'
import { parkRun } from '../../db/queries/run/step-failure.ts'
import { byHalves } from '../by-halves.ts'
import type { Services } from '../context.ts'
import { telling, wakeRuns } from '../wake-scenario-runs.ts'

/** Runs that are woken in one transaction. */
const sliceSize = 500

/**
 * Wakes the runs whose person got a place, and those whose pattern has another deadline. Returns false if there are none. A
 * run of the first kind for which that fails is parked, and reads its place when it goes on.
 */
export async function wakePatternRuns(services: Parts): Promise<boolean> {
  const { db, log } = services
  const promoted = await findPromoted(db, sliceSize)
  await byHalves(
    db,
    promoted,
    async (ids) =>
      wakeRuns(
        services,
        telling('placePromoted', await db.transaction().execute((trx) => wakePromoted(trx, ids))),
      ),
    async (id, err) => {
      const failures = await parkRun(db, { kind: 'scenario', id })
      await forgetPromoted(db, id)
      log?.warn({ runId: id, failures, err }, 'A run that got a place could not be woken')
    },
  )
  return (await wakeNextRetimed(services)) || promoted.length === sliceSize
}

/** Returns false if no deadline has changed, or the runs could not be woken: then another pattern is the next. */
async function wakeNextRetimed({ db, log, ...services }: Parts): Promise<boolean> {
  const pattern = await findRetimed(db)
  if (!pattern) return false
  try {
    wakeRuns(
      services,
      telling('deadlineMoved', await db.transaction().execute((trx) => wakeRetimed(trx, pattern, sliceSize))),
    )
    return true
  } catch (err) {
    await deferRetimed(db, pattern)
    log?.warn({ patternId: pattern.id, err }, 'The runs of a pattern could not be told of its new deadline')
    return false
  }
}

type Parts = Pick<Services, 'db' | 'wake'> & Partial<Pick<Services, 'log'>>
