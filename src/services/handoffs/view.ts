import type { HandoffDetail } from '../../contract/handoffs.ts'
import { findReach, type Reach } from '../../db/queries/handoff/reply.ts'
import { findUnit, type Unit } from '../../db/queries/identity/unit.ts'
import type { PersonPrincipal } from '../../domain/rights/principal.ts'
import { namesOf } from '../approvals/names.ts'
import type { Services } from '../context.ts'
import { orNotFound } from '../unit-access.ts'
import { getHandoff } from './records.ts'

/** A handoff as the people of its unit answer it. */
export type HandoffView = {
  handoff: HandoffDetail
  unit: Unit
  /** The name of the scenario; null: the assistant opened it. */
  scenario: string | null
  reach: Reach
}

/**
 * Everything that a person of the unit needs to answer. The audit log records who read it.
 * @throws ServiceError not_found
 */
export async function viewHandoff(
  services: Services,
  principal: PersonPrincipal,
  id: string,
): Promise<HandoffView> {
  const { db } = services
  const handoff = await getHandoff(services, principal, id)
  const { unitId, scenarioId } = handoff
  const named = scenarioId === null ? [] : [scenarioId]
  const names = await namesOf(db, unitId, { groups: [], scenarios: named })
  return {
    handoff,
    unit: orNotFound(await findUnit(db, unitId), 'unit'),
    scenario: scenarioId === null ? null : (names.get(scenarioId) ?? scenarioId),
    reach: await findReach(db, handoff.id),
  }
}
