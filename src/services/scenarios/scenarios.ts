import type {
  CreateScenario,
  Scenario,
  ScenarioListQuery,
  ScenarioPage,
  ScenarioVersionPage,
} from '../../contract/scenarios/scenario.ts'
import {
  findScenario,
  insertScenario,
  insertScenarioVersion,
  listScenarios as listRows,
  listScenarioVersions as listVersionRows,
  type ScenarioVersion,
} from '../../db/queries/scenario/scenario.ts'
import { actorOf, type Principal } from '../../domain/rights/principal.ts'
import { assertRoomFor } from '../bounds.ts'
import type { Services } from '../context.ts'
import { assertMayAsk } from '../messages/rights.ts'
import { byId, byNumber, largeItems, type PageQuery, pageOf } from '../page.ts'
import { findInUnits, unitOf } from '../unit-access.ts'
import { auditScenario } from './audit.ts'
import { checkContent } from './check-content.ts'
import { contentIn } from './content-in.ts'
import { itemsOf, scenarioOf, versionOf } from './view.ts'

/**
 * Saves a scenario as a draft.
 * @throws ServiceError unit_required, forbidden, and what `checkContent` throws
 */
export async function createScenario(
  services: Services,
  principal: Principal,
  { unitId: named, ...body }: CreateScenario,
): Promise<Scenario> {
  const unitId = unitOf(principal, named)
  assertMayAsk(principal, 'create', unitId)
  await checkContent(services, services.db, principal, { unitId, pattern: false }, body)
  const createdBy = actorOf(principal)
  const id = await services.db.transaction().execute(async (trx) => {
    await assertRoomFor(trx, 'scenarios', unitId)
    const scenarioId = await insertScenario(trx, { unitId, createdBy })
    const version = await insertScenarioVersion(trx, scenarioId, {
      ...contentIn(body),
      createdBy,
    })
    await auditScenario(trx, principal, 'create', { id: scenarioId, unitId, version })
    return scenarioId
  })
  return getScenario(services, principal, id)
}

/** @throws ServiceError not_found */
export async function getScenario({ db }: Services, principal: Principal, id: string): Promise<Scenario> {
  return scenarioOf(db, principal, await findInUnits(db, principal, id, 'scenario', findScenario))
}

/**
 * One page of a unit's scenarios, newest first.
 * @throws ServiceError unit_required, forbidden, validation_error for an invalid cursor
 */
export async function listScenarios(
  { db }: Services,
  principal: Principal,
  query: ScenarioListQuery,
): Promise<ScenarioPage> {
  const { state: states, categoryId, q, fields } = query
  const summary = fields === 'summary'
  const filter = { unitId: unitOf(principal, query.unitId), states, categoryId, q, summary }
  const { items, nextCursor } = await pageOf(
    query,
    byId,
    (page) => listRows(db, filter, page),
    (row) => row,
    summary ? undefined : largeItems,
  )
  return { items: await itemsOf(db, principal, items), nextCursor }
}

/**
 * One page of a scenario's versions, newest first.
 * @throws ServiceError not_found, validation_error for an invalid cursor
 */
export async function listScenarioVersions(
  { db }: Services,
  principal: Principal,
  id: string,
  query: PageQuery,
): Promise<ScenarioVersionPage> {
  const scenario = await findInUnits(db, principal, id, 'scenario', findScenario)
  return pageOf(
    query,
    byNumber(({ version }: ScenarioVersion) => version, 9),
    (page) => listVersionRows(db, scenario.id, page),
    versionOf,
    largeItems,
  )
}
