import { insertAudit } from '../../db/queries/maintenance/audit.ts'
import { endRuns } from '../../db/queries/scenario/end.ts'
import { findUnitOfRun, retryTurn } from '../../db/queries/scenario/retry.ts'
import type { OperatorMove } from '../../domain/signals.ts'
import type { Services } from '../context.ts'

/**
 * Applies an operator's request to a run: cancels it, or tries at once what a provider or a quota holds back. `none`: it
 * is over, or nothing is held back. There is nothing to skip in a conversation with one person.
 */
export async function requestOfRun(
  { db }: Pick<Services, 'db'>,
  runId: string,
  requested: OperatorMove,
): Promise<{ moved: 'cancel' | 'retry' | 'none' }> {
  return db.transaction().execute(async (trx) => {
    const unitId = await findUnitOfRun(trx, runId)
    if (unitId === undefined || requested === 'skip') return { moved: 'none' }
    const done =
      requested === 'cancel'
        ? (await endRuns(trx, { ids: [runId] }, { state: 'cancelled', reason: 'operator' })).length > 0
        : await retryTurn(trx, runId)
    if (!done) return { moved: 'none' }
    const run = { unitId, objectKind: 'scenario_run', objectId: runId } as const
    await insertAudit(trx, { ...run, actor: 'operator:temporal', action: requested })
    return { moved: requested }
  })
}
