import type { ApproveScenario, RejectScenario, Scenario } from '../../contract/scenarios/scenario.ts'
import { insertVersionAuthorNotices } from '../../db/queries/notice/author-notice.ts'
import { endScenarioWait } from '../../db/queries/scenario/scenario.ts'
import { decisionRefusal } from '../../domain/rights/allowed-decision.ts'
import { actorOf, type Principal } from '../../domain/rights/principal.ts'
import type { Services } from '../context.ts'
import { refuse } from '../refuse.ts'
import { auditScenario } from './audit.ts'
import { endWait } from './end-wait.ts'
import { makeActive, putInForce } from './put-in-force.ts'
import { scenarioFacts } from './view.ts'

/**
 * Approves the version of a scenario that waits: new runs follow it from now on.
 * @throws ServiceError not_found, forbidden, self_approval, invalid_transition if none waits, `version` is not the one
 *   that does, or another scenario has one of its triggers
 */
export function approveScenario(
  services: Services,
  principal: Principal,
  id: string,
  { version }: ApproveScenario,
): Promise<Scenario> {
  return endWait(services, principal, id, async (trx, row) => {
    refuse(decisionRefusal(principal, 'approve', 'scenario', scenarioFacts(row), version))
    await putInForce(trx, row, { by: actorOf(principal), autoApproved: false })
    // Who paused it after it was submitted has not asked for an end of the pause.
    const staysPaused = row.state === 'paused' && !row.resumes
    if (!staysPaused) await makeActive(trx, row.id)
    await auditScenario(trx, principal, 'approve', row)
    await insertVersionAuthorNotices(trx, row, 'approved')
  })
}

/**
 * Rejects the version of a scenario that waits. The one in force stays.
 * @throws ServiceError not_found, forbidden, invalid_transition
 */
export function rejectScenario(
  services: Services,
  principal: Principal,
  id: string,
  { reason, version }: RejectScenario,
): Promise<Scenario> {
  return endWait(services, principal, id, async (trx, row) => {
    refuse(decisionRefusal(principal, 'reject', 'scenario', scenarioFacts(row), version))
    await endScenarioWait(trx, row, 'rejected', { by: actorOf(principal), reason })
    await auditScenario(trx, principal, 'reject', row, { reason })
    await insertVersionAuthorNotices(trx, row, 'rejected')
  })
}
