import { ServiceError } from '../../contract/errors.ts'
import type { AuditEntry, AuditQuery } from '../../contract/oversight/audit.ts'
import type { Db } from '../../db/connect.ts'
import { type AuditRow, listAuditRows } from '../../db/queries/maintenance/audit.ts'
import type { RowPage } from '../../db/rows.ts'
import type { PersonPrincipal } from '../../domain/principal.ts'
import { actorView } from '../actor.ts'
import { byNumber, type Page, pageOf } from '../page.ts'
import { unitOf } from '../unit-access.ts'
import { idOrNull } from '../validation-error.ts'

/**
 * One page of the audit log of a unit, or of the entries without a unit, newest first.
 * @throws ServiceError unit_required, forbidden, validation_error for an invalid cursor
 */
export async function listAudit(
  db: Db,
  principal: PersonPrincipal,
  query: AuditQuery,
): Promise<Page<AuditEntry>> {
  const { scope, limit, cursor, unitId: named, objectId, actor, ...others } = query
  const filter = { ...others, objectId: objectId && plainId(objectId), actor: actor && plainId(actor) }
  const unitId = scope === 'unit' ? unitOf(principal, named) : ofInstallation(principal)
  const rowsOf = (page: RowPage<number>) => listAuditRows(db, { ...filter, unitId, ...page })
  return pageOf(
    { cursor, limit },
    byNumber(({ id }: AuditRow) => id, 15),
    rowsOf,
    entryOf,
  )
}

/** The name of an object or actor, such as `person:…`, with its id as the log holds it: in lower case if it is ours. */
function plainId(name: string): string {
  return name.replace(/[^:]*$/, (id) => idOrNull(id) ?? id)
}

function ofInstallation({ systemAdmin }: PersonPrincipal): null {
  if (systemAdmin) return null
  throw new ServiceError(
    'forbidden',
    'Only a system administrator may use scope=installation. Use scope=unit.',
  )
}

function entryOf(row: AuditRow): AuditEntry {
  const { id, at, unitId, action, objectKind, objectId, fromState, toState, version, reason, details } = row
  const by = actorView(row.actor, row.actorName)
  const what = { action, objectKind, objectId, fromState, toState, version, reason, details }
  return { id, at: at.toISOString(), unitId, by, ...what }
}
