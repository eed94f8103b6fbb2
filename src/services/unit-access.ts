import { ServiceError } from '../contract/errors.ts'
import type { Db } from '../db/connect.ts'
import { mayAsk } from '../domain/permission.ts'
import type { Principal } from '../domain/principal.ts'
import { idOrNull } from './validation-error.ts'

/**
 * The unit a call acts in: a producer key's own, whatever the body says; a person's only unit, or the one they named.
 * @throws ServiceError unit_required, forbidden
 */
export function unitOf(principal: Principal, named?: string): string {
  if (principal.kind === 'producer') return principal.unitId
  const units = principal.memberships.map((membership) => membership.unitId)
  if (named === undefined && units.length > 1)
    throw new ServiceError(
      'unit_required',
      'You work in several units: say which one in unitId. GET /v1/auth/session lists them.',
    )
  const unitId = named ?? units[0]
  if (unitId === undefined || !units.includes(unitId))
    throw new ServiceError(
      'forbidden',
      'You are no member of this unit. Ask a system administrator to make you one.',
    )
  return unitId
}

/** The units whose objects the caller may see; others' are answered like unknown ones. */
export function unitsOf(principal: Principal): string[] {
  if (principal.kind === 'producer') return [principal.unitId]
  return principal.memberships.map((membership) => membership.unitId)
}

/**
 * Topics, groups and callbacks are changed by those who may write the unit's messages: its editors, and its keys.
 * @throws ServiceError forbidden
 */
export function assertMayEdit(principal: Principal, unitId: string): void {
  if (mayAsk(principal, 'create', unitId)) return
  throw new ServiceError('forbidden', 'Only an editor of the unit may change this. Ask one of them.')
}

/**
 * What the caller names by an id, found in their units.
 * @throws ServiceError not_found, also for what is another unit's
 */
export async function findInUnits<Handle extends Db, Row>(
  db: Handle,
  principal: Principal,
  id: string,
  what: string,
  find: (db: Handle, id: string, unitIds: string[]) => Promise<Row | undefined>,
): Promise<Row> {
  const known = idOrNull(id)
  return orNotFound(known === null ? undefined : await find(db, known, unitsOf(principal)), what)
}

/**
 * The row that was looked for.
 * @throws ServiceError not_found
 */
export function orNotFound<Row>(row: Row | undefined, what: string): Row {
  if (row === undefined) throw new ServiceError('not_found', `There is no such ${what}. Check the id.`)
  return row
}
