import { ServiceError } from '../../contract/errors.ts'
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
import { termsOf } from '../../domain/pattern/terms.ts'
import { actorOf, type Principal } from '../../domain/rights/principal.ts'
import { actorView } from '../actor.ts'
import { organisersView } from '../answers/organisers.ts'
import { assertRoomFor } from '../bounds.ts'
import type { Services } from '../context.ts'
import { assertMayAsk, assertMayReachIndividuals, assertMayUse } from '../messages/rights.ts'
import { byId, largeItems, pageOf } from '../page.ts'
import { auditScenario } from '../scenarios/audit.ts'
import { findInUnits, unitOf } from '../unit-access.ts'
import { validationError } from '../validation-error.ts'
import { nowhere, type WrittenIn } from '../written-in.ts'
import { checkDesign } from './check-design.ts'
import { generatedVersion } from './generated.ts'

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
    const generated = await generatedVersion(services, trx, principal, { unitId, scenarioId, design })
    const version = await insertScenarioVersion(trx, scenarioId, { ...generated, createdBy, authors })
    await auditScenario(trx, principal, 'create', { id: scenarioId, unitId, version })
    const { type } = design
    const id = await insertPattern(trx, { unitId, scenarioId, type, createdBy, ...termsOf(design) })
    await auditPattern(trx, principal, 'create', { id, unitId }, { type, scenarioId })
    await writtenIn.end(trx, id)
    return { id, scenarioId }
  })
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
 * becomes an author of what waits of its scenario: the approver reads both. `shownDeadline`: as the caller saw it.
 * @throws ServiceError not_found, forbidden, category_not_allowed, individual_targeting_disabled if places go to people who
 *   wait, validation_error for a capacity that is not larger than before, invalid_transition if the deadline is another
 *   than `shownDeadline`
 */
export async function patchPattern(
  { db }: Services,
  principal: Principal,
  id: string,
  { deadline, capacity }: PatchPattern,
  shownDeadline?: string,
): Promise<Pattern> {
  return db.transaction().execute(async (trx) => {
    const row = await findInUnits(trx, principal, id, 'pattern', lockPattern)
    assertMayAsk(principal, 'create', row.unitId)
    assertMayUse(principal, row.categoryId)
    if (shownDeadline !== undefined && Date.parse(shownDeadline) !== row.deadline.getTime())
      throw movedSince(row)
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

function movedSince({ deadline }: PatternRow): ServiceError {
  return new ServiceError(
    'invalid_transition',
    `Somebody else has moved the deadline: it is ${deadline.toISOString()} now. Get it again, then retry.`,
  )
}

/**
 * Checks that nobody loses a place by another capacity.
 * @throws ServiceError validation_error
 */
export function checkCapacity({ capacity: places }: PatternRow, capacity: number | undefined): void {
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

/** A pattern as its newest version would have it. `now`: ms since the epoch. */
export function newestPatternOf(row: PatternRow, now: number): Pattern {
  if (row.design === null) return patternOf(row)
  const terms = termsOf(row.design)
  return patternOf({ ...row, ...terms, over: terms.deadline.getTime() <= now })
}

/** A pattern as the API returns it. */
export function patternOf(row: PatternRow): Pattern {
  const { id, unitId, scenarioId, type, name, categoryId, scenarioState, title, description } = row
  const { version, versionState, inForce, paused, decidedBy, decidedByName, decidedAt } = row
  const { capacity, registered, over, waitingList, questions, calendar } = row
  const reason = versionState === 'rejected' ? row.reason : null
  const left = capacity === null ? null : Math.max(0, capacity - registered)
  return {
    id,
    unitId,
    scenarioId,
    type,
    name,
    categoryId,
    ...{ scenarioState, version, versionState, inForce, paused },
    decision:
      decidedBy && decidedAt
        ? {
            by: actorView(decidedBy, decidedByName),
            at: decidedAt.toISOString(),
            ...(reason !== null && { reason }),
          }
        : null,
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
