import { ServiceError } from '../../contract/errors.ts'
import type { AuditEntry, AuditQuery } from '../../contract/identity/audit.ts'
import type { Db } from '../../db/connect.ts'
import { type AuditRow, listAuditRows } from '../../db/queries/audit/audit.ts'
import type { RowPage } from '../../db/rows.ts'
import { idOrNull } from '../../domain/lib/id.ts'
import type { PersonPrincipal } from '../../domain/rights/principal.ts'
import { actorView, nameless } from '../actor.ts'
import { byNumber, type Page, pageOf } from '../page.ts'
import { mayReadRunNames } from '../run-names.ts'
import { unitOf } from '../unit-access.ts'

/**
 * One page of the audit log of a unit, or of the entries without a unit, newest first. Callers who may not read answers do
 * not read which recipient acted, nor whom a scenario changed, which follows from what they answered.
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
  const names = unitId === null || (await mayReadRunNames(db, principal, unitId))
  const rowsOf = (page: RowPage<number>) => listAuditRows(db, { ...filter, unitId, names, ...page })
  return pageOf(
    { cursor, limit },
    byNumber(({ id }: AuditRow) => id, 15),
    rowsOf,
    (row) => entryOf(row, names),
  )
}

/** The name of an object or actor, such as `person:…`, with its id as the log holds it: in lower case if it is ours. */
function plainId(name: string): string {
  const at = name.lastIndexOf(':') + 1
  const id = name.slice(at)
  return `${name.slice(0, at)}${idOrNull(id) ?? id}`
}

function ofInstallation({ systemAdmin }: PersonPrincipal): null {
  if (systemAdmin) return null
  throw new ServiceError(
    'forbidden',
    'Only a system administrator may use scope=installation. Use scope=unit.',
  )
}

/**
 * Runs do not name their person to everyone, and neither do the entries of who read them and of what recipients did
 * (`names`).
 */
function entryOf(row: AuditRow, names: boolean): AuditEntry {
  const { id, at, unitId, action, objectKind, objectId, fromState, toState, version, reason } = row
  const ofRun = objectKind === 'scenario' || objectKind === 'scenario_run'
  const details = ofRun && !names ? withoutPerson(row.details) : row.details
  const by = actorView(names ? row.actor : nameless(row.actor), row.actorName)
  const what = { action, objectKind, objectId, fromState, toState, version, reason, details }
  return { id, at: at.toISOString(), unitId, by, ...what }
}

function withoutPerson(details: unknown): unknown {
  if (typeof details !== 'object' || details === null) return details
  return Object.fromEntries(Object.entries(details).filter(([name]) => name !== 'subjectId'))
}
