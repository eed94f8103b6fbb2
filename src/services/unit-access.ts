import { ServiceError } from '../contract/errors.ts'
import type { Db } from '../db/connect.ts'
import { idOrNull } from '../domain/lib/id.ts'
import { mayAsk } from '../domain/rights/permission.ts'
import type { Principal } from '../domain/rights/principal.ts'

/**
 * The unit a call acts in: for a producer key its own, whatever the body names; for a person the named unit, or their
 * only one. An empty name counts as omitted.
 * @throws ServiceError unit_required, forbidden
 */
export function unitOf(principal: Principal, named?: string): string {
  if (principal.kind === 'producer') return principal.unitId
  const units = principal.memberships.map((membership) => membership.unitId)
  const wanted = named ? (idOrNull(named) ?? named) : undefined
  if (wanted === undefined && units.length > 1)
    throw new ServiceError(
      'unit_required',
      'You are a member of several units. Name one in unitId. GET /v1/auth/session lists them.',
    )
  const unitId = wanted ?? units[0]
  if (unitId === undefined || !units.includes(unitId))
    throw new ServiceError(
      'forbidden',
      'You are not a member of this unit. Ask a system administrator to add you.',
    )
  return unitId
}

/** The units whose objects the caller may see; those of other units get not_found. */
export function unitsOf(principal: Principal): string[] {
  if (principal.kind === 'producer') return [principal.unitId]
  return principal.memberships.map((membership) => membership.unitId)
}

/**
 * Checks that the caller may change topics and callbacks: the unit's editors and keys may, as with messages.
 * @throws ServiceError forbidden
 */
export function assertMayEdit(principal: Principal, unitId: string): void {
  if (mayAsk(principal, 'create', unitId)) return
  throw new ServiceError('forbidden', 'Only an editor of the unit may change this. Ask one of them.')
}

/**
 * Checks that the caller may change groups: the unit's editors, and keys with the right to.
 * @throws ServiceError forbidden
 */
export function assertMayWriteGroups(principal: Principal, unitId: string): void {
  assertMayEdit(principal, unitId)
  if (principal.kind === 'person' || principal.groupWriting) return
  throw new ServiceError(
    'forbidden',
    'This key may not write groups: it lacks the right groupWriting. Use a key that has it, or ask an editor of the unit.',
  )
}

/**
 * Finds an object by id in the caller's units.
 * @throws ServiceError not_found, also for another unit's object
 */
export async function findInUnits<Handle extends Db, Row>(
  db: Handle,
  principal: Principal,
  id: string,
  what: string,
  find: (db: Handle, id: string, unitIds: string[]) => Promise<Row | undefined>,
): Promise<Row> {
  const uuid = idOrNull(id)
  return orNotFound(uuid === null ? undefined : await find(db, uuid, unitsOf(principal)), what)
}

/**
 * The row, if it was found.
 * @throws ServiceError not_found
 */
export function orNotFound<Row>(row: Row | undefined, what: string): Row {
  if (row === undefined) throw new ServiceError('not_found', `No such ${what}. Check the id.`)
  return row
}
