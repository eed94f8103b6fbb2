import type { CreateLookupEndpoint, LookupEndpoint } from '../../contract/admin/lookup-endpoint.ts'
import { ServiceError } from '../../contract/errors.ts'
import { broken } from '../../contract/rules.ts'
import { insertAudit } from '../../db/queries/audit/audit.ts'
import { findUnit } from '../../db/queries/identity/unit.ts'
import {
  deleteLookupEndpoint as deleteRow,
  insertLookupEndpoint,
  listLookupEndpoints as listRows,
  type LookupEndpoint as Row,
} from '../../db/queries/lookup/endpoint.ts'
import { idOrNull } from '../../domain/lib/id.ts'
import { assertRoomFor } from '../bounds.ts'
import type { Services } from '../context.ts'
import { faultOfOrigin, signingKeyOf } from '../lookups/way.ts'
import { byId, type Page, type PageQuery, pageOf } from '../page.ts'
import { unknownReference, validationError } from '../validation-error.ts'

/** The endpoints that scenarios may call, newest first. */
export async function listLookupEndpoints(
  { db }: Pick<Services, 'db'>,
  query: PageQuery,
): Promise<Page<LookupEndpoint>> {
  return pageOf(query, byId, (page) => listRows(db, page), toLookupEndpoint)
}

/**
 * Registers an endpoint, which takes effect at once.
 * @throws ServiceError validation_error for an address that Carillon does not call, an unknown key, or an origin that is
 *   registered already; not_found for the unit; not_configured without signing keys
 */
export async function createLookupEndpoint(
  { db, outbound, signingKeys }: Pick<Services, 'db' | 'outbound' | 'signingKeys'>,
  actor: string,
  { origin, unitId, keyId, sendUid }: CreateLookupEndpoint,
): Promise<LookupEndpoint> {
  const fault = faultOfOrigin(outbound, origin)
  if (fault !== null) throw validationError([{ path: 'origin', ...fault }])
  if (signingKeys.size === 0)
    throw new ServiceError(
      'not_configured',
      'There is no key to sign with. Ask the operator to set EVENT_SIGNING_KEYS.',
    )
  if (!signingKeyOf(signingKeys, keyId))
    throw validationError([{ path: 'keyId', ...broken('unknown_reference', { to: 'signing_key' }) }])
  if (unitId !== null && !(await findUnit(db, unitId)))
    throw unknownReference('unitId', 'unit', `No unit ${unitId}. Check the id.`)
  return db.transaction().execute(async (trx) => {
    await assertRoomFor(trx, 'lookupEndpoints', null)
    const row = await insertLookupEndpoint(trx, { origin, unitId, keyId, sendUid, createdBy: actor })
    if (!row) throw validationError([{ path: 'origin', ...broken('taken', { of: 'origin' }) }])
    const audit = { unitId, actor, action: 'create', details: { origin, keyId, ...(sendUid && { sendUid }) } }
    await insertAudit(trx, { ...audit, objectKind: 'lookup_endpoint', objectId: row.id })
    return toLookupEndpoint(row)
  })
}

/**
 * Deletes an endpoint: the next Lookup there, also of a run under way, takes the node's edge for errors.
 * @throws ServiceError not_found
 */
export async function deleteLookupEndpoint(
  { db }: Pick<Services, 'db'>,
  actor: string,
  id: string,
): Promise<{ deleted: true }> {
  const uuid = idOrNull(id)
  return db.transaction().execute(async (trx) => {
    const row = uuid === null ? undefined : await deleteRow(trx, uuid)
    if (!row) throw new ServiceError('not_found', `No Lookup endpoint ${id}. Check the id.`)
    const { origin, unitId, keyId } = row
    const audit = { unitId, actor, action: 'delete', details: { origin, keyId } }
    await insertAudit(trx, { ...audit, objectKind: 'lookup_endpoint', objectId: row.id })
    return { deleted: true }
  })
}

function toLookupEndpoint({ id, origin, unitId, keyId, sendUid, createdAt }: Row): LookupEndpoint {
  return { id, origin, unitId, keyId, sendUid, createdAt: createdAt.toISOString() }
}
