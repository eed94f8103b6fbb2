import type { Logger } from 'pino'
import type { Db } from '../db/connect.ts'
import { forgetCallers } from '../db/queries/maintenance/rate.ts'
import { type Rounds, startRounds } from './rounds.ts'

/** How often windows that are over are cleared away, ms. */
const roundMs = 60_000

/** Clears away the windows of callers that have gone, until it is stopped. */
export function startRateSweep({ db, log }: { db: Db; log: Logger }): Rounds {
  return startRounds({ log, what: 'rate windows', everyMs: roundMs }, async () => {
    await forgetCallers(db)
    return false
  })
}
