import type { Scenario, WithdrawScenario } from '../../contract/scenarios/scenario.ts'
import { endScenarioWait } from '../../db/queries/scenario/scenario.ts'
import { withdrawalRefusal } from '../../domain/rights/allowed-decision.ts'
import { actorOf, type Principal } from '../../domain/rights/principal.ts'
import type { Services } from '../context.ts'
import { assertMayUse } from '../messages/rights.ts'
import { refuse } from '../refuse.ts'
import { auditScenario } from './audit.ts'
import { endWait } from './end-wait.ts'
import { scenarioFacts } from './view.ts'

/**
 * Takes back the version of a scenario that waits, to change it. The one in force stays.
 * @throws ServiceError not_found, forbidden, category_not_allowed, invalid_transition
 */
export function withdrawScenario(
  services: Services,
  principal: Principal,
  id: string,
  { version }: WithdrawScenario,
): Promise<Scenario> {
  return endWait(services, principal, id, async (trx, row) => {
    refuse(withdrawalRefusal(principal, scenarioFacts(row), version))
    assertMayUse(principal, row.categoryId)
    await endScenarioWait(trx, row, 'withdrawn', { by: actorOf(principal), reason: null })
    await auditScenario(trx, principal, 'withdraw', row)
  })
}
