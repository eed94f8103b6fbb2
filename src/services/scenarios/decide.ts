import type { ApproveScenario, RejectScenario, Scenario } from '../../contract/scenarios/scenario.ts'
import { findScenario, lockScenario, rejectScenarioVersion } from '../../db/queries/scenario/scenario.ts'
import { decisionRefusal } from '../../domain/rights/allowed-decision.ts'
import { actorOf, type Principal } from '../../domain/rights/principal.ts'
import type { Services } from '../context.ts'
import { refuse } from '../refuse.ts'
import { findInUnits } from '../unit-access.ts'
import { auditScenario } from './audit.ts'
import { makeActive, putInForce } from './put-in-force.ts'
import { scenarioFacts, scenarioOf } from './view.ts'

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
  return decide(services, principal, id, { verb: 'approve', version })
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
  return decide(services, principal, id, { verb: 'reject', reason, version })
}

type Decision = { version: number } & ({ verb: 'approve' } | { verb: 'reject'; reason: string })

function decide(
  { db }: Services,
  principal: Principal,
  id: string,
  { version: shownVersion, ...decision }: Decision,
): Promise<Scenario> {
  const by = actorOf(principal)
  return db.transaction().execute(async (trx) => {
    const row = await findInUnits(trx, principal, id, 'scenario', lockScenario)
    refuse(decisionRefusal(principal, decision.verb, 'scenario', scenarioFacts(row), shownVersion))
    if (decision.verb === 'approve') {
      await putInForce(trx, row, { by, autoApproved: false })
      // Who paused it after it was submitted has not asked for an end of the pause.
      const staysPaused = row.state === 'paused' && !row.resumes
      if (!staysPaused) await makeActive(trx, row.id)
      await auditScenario(trx, principal, 'approve', row)
    } else {
      const { reason } = decision
      await rejectScenarioVersion(trx, row, { by, reason })
      await auditScenario(trx, principal, 'reject', row, { reason })
    }
    return scenarioOf(trx, principal, await findInUnits(trx, principal, row.id, 'scenario', findScenario))
  })
}
