import type { Trx } from '../../db/connect.ts'
import { insertAudit } from '../../db/queries/audit/audit.ts'
import { findUnitOfRun, retryTurn } from '../../db/queries/scenario-run/retry.ts'
import type { OperatorMove } from '../../domain/run/signals.ts'
import type { Services } from '../context.ts'
import { cancelLocked } from './cancel-runs.ts'

const actor = 'operator:temporal'

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
        ? (await cancelLocked(trx, { id: runId, unitId }, actor)).ids.length > 0
        : await retry(trx, { id: runId, unitId })
    return { moved: done ? requested : 'none' }
  })
}

async function retry(trx: Trx, { id, unitId }: { id: string; unitId: string }): Promise<boolean> {
  if (!(await retryTurn(trx, id))) return false
  await insertAudit(trx, { unitId, actor, action: 'retry', objectKind: 'scenario_run', objectId: id })
  return true
}
