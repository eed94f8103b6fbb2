import type { Logger } from 'pino'
import type { Db } from '../db/connect.ts'
import {
  addPurgeCounts,
  auditPurge,
  type FailedKinds,
  type PurgeCounts,
  purgeSlice,
  type Retention,
  totalPurged,
} from '../services/retention.ts'
import { purgeFailures } from '../temporal/metrics.ts'
import type { Task } from './poll-loop.ts'

/** Deletes what is older than it may get, a slice in a round, and writes down at the end how much that was. */
export function retentionPurge({ db, log }: { db: Db; log: Logger }, retention: Retention): Task {
  let purged: PurgeCounts = {}
  let failed: FailedKinds = new Map()
  const run = async () => {
    const slice = await purgeSlice(db, retention, failed)
    purged = addPurgeCounts(purged, slice)
    if (totalPurged(slice) > 0) return true
    for (const [kind, err] of failed) {
      purgeFailures.inc({ kind })
      log.warn({ kind, err }, 'Old rows of a kind could not be purged; the next round tries again')
    }
    failed = new Map()
    if (totalPurged(purged) > 0) log.info({ purged }, 'What was older than it may get is gone')
    await auditPurge(db, 'system:run', purged)
    purged = {}
    return false
  }
  return { name: 'retention-purge', everyMs: 3_600_000, run }
}
