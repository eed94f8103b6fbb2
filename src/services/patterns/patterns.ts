import type {
  CreatedPattern,
  CreatePattern,
  PatchPattern,
  Pattern,
  PatternListQuery,
  PatternPage,
} from '../../contract/patterns/pattern.ts'
import { broken } from '../../contract/rules.ts'
import type { Trx } from '../../db/connect.ts'
import { insertAudit } from '../../db/queries/audit/audit.ts'
import { findSendingUnit } from '../../db/queries/identity/unit.ts'
import {
  changePattern,
  findPattern,
  insertPattern,
  listPatterns as listRows,
  lockPattern,
  type PatternRow,
} from '../../db/queries/pattern/pattern.ts'
import { promoteWaiting } from '../../db/queries/pattern/registration.ts'
import {
  addScenarioAuthor,
  insertScenario,
  insertScenarioVersion,
} from '../../db/queries/scenario/scenario.ts'
import { patternGraph, questionsOf } from '../../domain/pattern/generate.ts'
import { actorOf, type Principal } from '../../domain/rights/principal.ts'
import { actorView } from '../actor.ts'
import { organisersView } from '../answers/organisers.ts'
import { assertRoomFor } from '../bounds.ts'
import type { Services } from '../context.ts'
import { calendarUrl, noPerson } from '../messages/calendar.ts'
import { assertMayAsk, assertMayReachIndividuals, assertMayUse } from '../messages/rights.ts'
import { byId, largeItems, pageOf } from '../page.ts'
import { auditScenario } from '../scenarios/audit.ts'
import { checkContent } from '../scenarios/check-content.ts'
import { contentIn } from '../scenarios/content-in.ts'
import { findInUnits, unitOf } from '../unit-access.ts'
import { validationError } from '../validation-error.ts'
import { nowhere, type WrittenIn } from '../written-in.ts'
import { checkDesign } from './check-design.ts'

/**
 * Creates a pattern, and generates its scenario as a draft. `writtenIn`: what it was written in, which ends with
 * it.
 * @throws ServiceError unit_required, forbidden, category_not_allowed, not_found for the category, validation_error
 */
export async function createPattern(
  services: Services,
  principal: Principal,
  { unitId: named, ...design }: CreatePattern,
  writtenIn: WrittenIn = nowhere,
): Promise<CreatedPattern> {
  const unitId = unitOf(principal, named)
  assertMayAsk(principal, 'create', unitId)
  await checkDesign(services, unitId, design, Date.now())
  const createdBy = actorOf(principal)
  return services.db.transaction().execute(async (trx) => {
    const authors = await writtenIn.lock(trx)
    await assertRoomFor(trx, 'scenarios', unitId)
    const scenarioId = await insertScenario(trx, { unitId, createdBy })
    const { name, categoryId, farewell } = design
    const graph = patternGraph(design, scenarioId, await timeZoneOf(services, trx, { unitId, design }))
    const body = { name, categoryId, ...graph, ...(farewell && { farewell }) }
    await checkContent(services, trx, principal, { unitId, pattern: true }, body)
    const version = await insertScenarioVersion(trx, scenarioId, { ...contentIn(body), createdBy, authors })
    await auditScenario(trx, principal, 'create', { id: scenarioId, unitId, version })
    const { attendance, others } = questionsOf(design)
    const id = await insertPattern(trx, {
      unitId,
      scenarioId,
      type: design.type,
      title: design.title,
      createdBy,
      description: design.description ?? null,
      questions: attendance ? [attendance, ...others] : others,
      attendance: attendance?.id ?? null,
      deadline: new Date(design.deadline),
      capacity: design.capacity ?? null,
      waitingList: design.waitingList ?? false,
      calendar: design.calendar ?? null,
    })
    await auditPattern(trx, principal, 'create', { id, unitId }, { type: design.type, scenarioId })
    await writtenIn.end(trx, id)
    return { id, scenarioId }
  })
}

/**
 * In which zone the times of its calendar entry are written.
 * @throws ServiceError not_configured for an entry, where its file would have no address
 */
async function timeZoneOf(
  services: Services,
  trx: Trx,
  { unitId, design }: { unitId: string; design: Pick<CreatePattern, 'calendar'> },
): Promise<string> {
  if (!design.calendar) return 'UTC'
  calendarUrl(services, { patternId: unitId, subjectId: noPerson }, 'en')
  return (await findSendingUnit(trx, unitId)).timeZone
}

/** @throws ServiceError not_found */
export async function getPattern({ db }: Services, principal: Principal, id: string): Promise<Pattern> {
  return patternOf(await findInUnits(db, principal, id, 'pattern', findPattern))
}

/**
 * One page of a unit's patterns, newest first.
 * @throws ServiceError unit_required, forbidden, validation_error for an invalid cursor
 */
export async function listPatterns(
  { db }: Services,
  principal: Principal,
  query: PatternListQuery,
): Promise<PatternPage> {
  const filter = { unitId: unitOf(principal, query.unitId), types: query.type, q: query.q }
  return pageOf(query, byId, (page) => listRows(db, filter, page), patternOf, largeItems)
}

/**
 * Moves the deadline of a pattern, or adds places, which go to those who wait in the same transaction. The caller
 * becomes an author of what waits of its scenario: the approver reads both.
 * @throws ServiceError not_found, forbidden, category_not_allowed, individual_targeting_disabled if places go to people who
 *   wait, validation_error for a capacity that is not larger than before
 */
export async function patchPattern(
  { db }: Services,
  principal: Principal,
  id: string,
  { deadline, capacity }: PatchPattern,
): Promise<Pattern> {
  return db.transaction().execute(async (trx) => {
    const row = await findInUnits(trx, principal, id, 'pattern', lockPattern)
    assertMayAsk(principal, 'create', row.unitId)
    assertMayUse(principal, row.categoryId)
    checkCapacity(row, capacity)
    const moved = deadline !== undefined && Date.parse(deadline) !== row.deadline.getTime()
    const raised = capacity !== undefined && capacity !== row.capacity
    if (!moved && !raised) return patternOf(row)
    await changePattern(trx, row.id, {
      ...(moved && { deadline: new Date(deadline) }),
      ...(raised && { capacity }),
    })
    await addScenarioAuthor(trx, row.scenarioId, actorOf(principal))
    if ((await promoteWaiting(trx, row.id)) > 0) assertMayReachIndividuals(principal)
    const changed = [...(moved ? ['deadline'] : []), ...(raised ? ['capacity'] : [])]
    await auditPattern(trx, principal, 'edit', row, { changed })
    return patternOf(await findInUnits(trx, principal, row.id, 'pattern', findPattern))
  })
}

/** @throws ServiceError validation_error */
function checkCapacity({ capacity: places }: PatternRow, capacity: number | undefined): void {
  if (capacity === undefined || (places !== null && capacity >= places)) return
  const rule =
    places === null
      ? broken('unexpected', { reason: 'unlimited' })
      : broken('too_small', { limit: places, reason: 'places' })
  throw validationError([{ path: 'capacity', ...rule }])
}

async function auditPattern(
  trx: Trx,
  principal: Principal,
  action: 'create' | 'edit',
  { id, unitId }: { id: string; unitId: string },
  details: object,
): Promise<void> {
  const actor = actorOf(principal)
  await insertAudit(trx, { unitId, actor, action, objectKind: 'pattern', objectId: id, details })
}

/** A pattern as the API returns it. */
export function patternOf(row: PatternRow): Pattern {
  const { id, unitId, scenarioId, type, name, categoryId, scenarioState, title, description } = row
  const { capacity, registered, over, waitingList, questions, calendar } = row
  const left = capacity === null ? null : Math.max(0, capacity - registered)
  return {
    id,
    unitId,
    scenarioId,
    type,
    name,
    categoryId,
    scenarioState,
    title,
    description,
    capacity,
    left,
    waitingList,
    questions,
    ...(calendar && { calendar }),
    deadline: row.deadline.toISOString(),
    status: over ? 'closed' : left === 0 ? 'full' : 'open',
    organisers: organisersView(row.organisers),
    createdBy: actorView(row.createdBy, row.createdByName),
    createdAt: row.createdAt.toISOString(),
  }
}
