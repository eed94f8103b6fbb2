import type { Trx } from '../../db/connect.ts'
import { insertAudit } from '../../db/queries/audit/audit.ts'
import { actorOf, type Principal } from '../../domain/rights/principal.ts'

/** What happens to a scenario. */
type ScenarioAct =
  | 'create'
  | 'edit'
  | 'submit'
  | 'approve'
  | 'reject'
  | 'withdraw'
  | 'pause'
  | 'resume'
  | 'retire'

/** Writes the audit row of what happened to a scenario. `by`: an actor other than the caller. */
export async function auditScenario(
  trx: Trx,
  principal: Principal,
  action: ScenarioAct,
  { id, unitId, version }: { id: string; unitId: string; version: number },
  { reason, by = actorOf(principal) }: { reason?: string; by?: string } = {},
): Promise<void> {
  await insertAudit(trx, {
    unitId,
    actor: by,
    action,
    objectKind: 'scenario',
    objectId: id,
    ...(reason !== undefined && { reason }),
    details: { version },
  })
}
