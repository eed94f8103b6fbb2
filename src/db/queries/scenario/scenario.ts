import type { ScenarioState } from '../../../contract/enums.ts'
import type { ScenarioContent } from '../../../contract/scenarios/content.ts'
import type { Db } from '../../connect.ts'

/** A scenario in the version that new runs follow. `automatic`: no person has approved that version. */
export type ScenarioInForce = {
  id: string
  unitId: string
  state: ScenarioState
  version: number
  automatic: boolean
  categoryId: string
  content: ScenarioContent
}

/**
 * The version of a scenario that is in force, whatever the state of the scenario: a paused or retired one starts nothing.
 * Undefined if no version has been in force.
 */
export async function findScenarioInForce(db: Db, id: string): Promise<ScenarioInForce | undefined> {
  return db
    .selectFrom('scenario as s')
    .innerJoin('scenario_version as v', 'v.scenario_id', 's.id')
    .select(['s.id', 's.unit_id as unitId', 's.state'])
    .select(['v.version', 'v.automatic', 'v.category_id as categoryId', 'v.content'])
    .where('s.id', '=', id)
    .where('v.state', '=', 'in_force')
    .executeTakeFirst()
}
