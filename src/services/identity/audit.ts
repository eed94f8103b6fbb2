import { ServiceError } from '../../contract/errors.ts'
import type { AuditEntry, AuditQuery } from '../../contract/oversight/audit.ts'
import type { Db } from '../../db/connect.ts'
import { type AuditRow, listAuditRows } from '../../db/queries/maintenance/audit.ts'
import type { PersonPrincipal } from '../../domain/principal.ts'
import { actor } from '../actor.ts'
import { keyOf, noCursor, type Page, pageOf } from '../page.ts'
import { unitOf } from '../unit-of.ts'

/**
 * One page of a unit's audit log, or of what belongs to no unit, newest first.
 * @throws ServiceError unit_required, forbidden, validation_error for a cursor that is none
 */
export async function listAudit(
  db: Db,
  principal: PersonPrincipal,
  query: AuditQuery,
): Promise<Page<AuditEntry>> {
  const { scope, limit, cursor, unitId, ...filter } = query
  const rows = await listAuditRows(db, {
    ...filter,
    unitId: scope === 'unit' ? unitOf(principal, unitId) : ofInstallation(principal),
    cursor: rowOfCursor(cursor),
    limit: limit + 1,
  })
  return pageOf(rows, limit, (row) => String(row.id), entryOf)
}

function ofInstallation({ systemAdmin }: PersonPrincipal): null {
  if (systemAdmin) return null
  throw new ServiceError('forbidden', 'Only a system administrator sees what belongs to no unit.')
}

function rowOfCursor(cursor: string | undefined): number | null {
  if (cursor === undefined) return null
  const id = keyOf(cursor) ?? ''
  if (/^\d{1,15}$/.test(id)) return Number(id)
  throw noCursor()
}

function entryOf(row: AuditRow): AuditEntry {
  const { id, at, unitId, action, objectKind, objectId, fromState, toState, version, reason, details } = row
  const by = actor(row.actor, row.actorName)
  const what = { action, objectKind, objectId, fromState, toState, version, reason, details }
  return { id, at: at.toISOString(), unitId, by, ...what }
}
