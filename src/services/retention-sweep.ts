import type { Logger } from 'pino'
import type { Db } from '../db/connect.ts'
import { purgeFailures } from '../runs/metrics.ts'
import {
  added,
  type FailedKinds,
  notePurged,
  type Purged,
  purgeSlice,
  type Retention,
  total,
} from './retention.ts'
import { type Rounds, startRounds } from './rounds.ts'

/** How often old rows are looked for, ms; while there are more, the next slice follows at once. */
const roundMs = 3_600_000

/** Does away with what is older than it may get, slice by slice, until it is stopped; every worker may. */
export function startRetention({ db, log }: { db: Db; log: Logger }, retention: Retention): Rounds {
  let purged: Purged = {}
  let failed: FailedKinds = new Map()
  return startRounds({ log, what: 'retention', everyMs: roundMs }, async () => {
    const slice = await purgeSlice(db, retention, failed)
    purged = added(purged, slice)
    if (total(slice) > 0) return true
    for (const [kind, err] of failed) {
      purgeFailures.inc({ kind })
      log.warn({ kind, err }, 'Old rows of a kind could not be purged; the next round tries again')
    }
    failed = new Map()
    if (total(purged) > 0) log.info({ purged }, 'What was older than it may get is gone')
    await notePurged(db, 'system:run', purged)
    purged = {}
    return false
  })
}
