import type { Logger } from 'pino'
import type { Db } from '../db/connect.ts'
import { purgeFailures } from '../metrics/rows.ts'
import {
  addPurgeCounts,
  auditPurge,
  type FailedKinds,
  type PurgeCounts,
  purgeKinds,
  purgeSlice,
  type Retention,
  totalPurged,
} from '../services/retention.ts'
import type { Task } from './poll-loop.ts'

/** Deletes rows past their retention, one slice a round, and at the end records the counts in the audit log. */
export function retentionPurge({ db, log }: { db: Db; log: Logger }, retention: Retention): Task {
  for (const kind of purgeKinds) purgeFailures.inc({ kind }, 0)
  let purged: PurgeCounts = {}
  let failed: FailedKinds = new Map()
  const run = async () => {
    const slice = await purgeSlice(db, retention, failed)
    purged = addPurgeCounts(purged, slice)
    if (totalPurged(slice) > 0) return true
    for (const [kind, err] of failed) {
      purgeFailures.inc({ kind })
      log.warn({ kind, err }, 'Purging old rows failed; the next round retries')
    }
    failed = new Map()
    if (totalPurged(purged) > 0) log.info({ purged }, 'Purged rows past their retention')
    await auditPurge(db, 'system:run', purged)
    purged = {}
    return false
  }
  return { name: 'retention-purge', everyMs: 3_600_000, run }
}
