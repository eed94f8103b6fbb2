import { ServiceError } from '../../contract/errors.ts'
import type { Db } from '../../db/connect.ts'
import { insertAudit } from '../../db/queries/audit/audit.ts'
import { recompute } from '../../db/queries/metrics/roll-up.ts'
import type { Retention } from '../retention.ts'

/**
 * Has the last `days` days of a unit counted again by the workers. Returns the number of sends, and the first day
 * (`YYYY-MM-DD`).
 * @throws ServiceError validation_error if rows of these days may be past retention: the numbers would become smaller
 */
export async function recomputeMetrics(
  db: Db,
  actor: string,
  retention: Retention,
  { unitId, days }: { unitId: string; days: number },
): Promise<{ sends: number; from: string }> {
  const kept = Math.min(...countedRows.map((name) => retention[name]).filter((n) => n > 0))
  if (days >= kept)
    throw new ServiceError(
      'validation_error',
      `Rows are kept for ${kept} days (RETENTION_…_DAYS). Recompute fewer days than that.`,
    )
  return db.transaction().execute(async (trx) => {
    const counted = await recompute(trx, { unitId, days })
    const what = { action: 'recompute', objectKind: 'unit', objectId: unitId } as const
    await insertAudit(trx, { unitId, actor, ...what, details: counted })
    return counted
  })
}

/** What the numbers of a day are counted from. */
const countedRows = ['RETENTION_DELIVERIES_DAYS', 'RETENTION_ANSWERS_DAYS', 'RETENTION_RUNS_DAYS'] as const
