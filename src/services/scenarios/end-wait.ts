import type { Scenario } from '../../contract/scenarios/scenario.ts'
import type { Trx } from '../../db/connect.ts'
import { findScenario, lockScenario, type Scenario as Row } from '../../db/queries/scenario/scenario.ts'
import type { Principal } from '../../domain/rights/principal.ts'
import type { Services } from '../context.ts'
import { findInUnits } from '../unit-access.ts'
import { scenarioOf } from './view.ts'

/**
 * Ends the wait of the newest version of a scenario, under its lock, as `act` does. Returns the scenario then.
 * @throws ServiceError not_found, and what `act` throws
 */
export function endWait(
  { db }: Services,
  principal: Principal,
  id: string,
  act: (trx: Trx, row: Row) => Promise<void>,
): Promise<Scenario> {
  return db.transaction().execute(async (trx) => {
    const row = await findInUnits(trx, principal, id, 'scenario', lockScenario)
    await act(trx, row)
    return scenarioOf(trx, principal, await findInUnits(trx, principal, row.id, 'scenario', findScenario))
  })
}
