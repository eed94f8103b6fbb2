import { sql } from 'kysely'
import type { Db, Trx } from '../../connect.ts'
import type { RowPage } from '../../rows.ts'

export type LookupEndpoint = {
  id: string
  origin: string
  unitId: string | null
  keyId: string | null
  /** Whether it gets the uid of the person beside the subject id. */
  sendUid: boolean
  createdBy: string
  createdAt: Date
}

const columns = [
  'id',
  'origin',
  'unit_id as unitId',
  'key_id as keyId',
  'send_uid as sendUid',
  'created_by as createdBy',
  'created_at as createdAt',
] as const

/** The registered endpoints, newest first. */
export function listLookupEndpoints(db: Db, { after, limit }: RowPage): Promise<LookupEndpoint[]> {
  let query = db.selectFrom('lookup_endpoint').select(columns).orderBy('id', 'desc').limit(limit)
  if (after !== null) query = query.where('id', '<', after)
  return query.execute()
}

/** Registers an endpoint; undefined if the origin is registered already, for this unit or in the same way for all. */
export function insertLookupEndpoint(
  trx: Trx,
  endpoint: Pick<LookupEndpoint, 'origin' | 'unitId' | 'keyId' | 'sendUid' | 'createdBy'>,
): Promise<LookupEndpoint | undefined> {
  return trx
    .insertInto('lookup_endpoint')
    .values({
      origin: endpoint.origin,
      unit_id: endpoint.unitId,
      key_id: endpoint.keyId,
      send_uid: endpoint.sendUid,
      created_by: endpoint.createdBy,
    })
    .onConflict((conflict) => conflict.columns(['origin', 'unit_id']).doNothing())
    .returning(columns)
    .executeTakeFirst()
}

/** Deletes an endpoint; undefined if it does not exist. */
export function deleteLookupEndpoint(trx: Trx, id: string): Promise<LookupEndpoint | undefined> {
  return trx.deleteFrom('lookup_endpoint').where('id', '=', id).returning(columns).executeTakeFirst()
}

/** The origins of all registered endpoints. */
export async function listLookupOrigins(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('lookup_endpoint').select('origin').distinct().execute()
  return rows.map(({ origin }) => origin)
}

/** The endpoints that cannot be called, because their signing key is none of these, newest first. */
export async function findEndpointsWithoutKey(
  db: Db,
  keyIds: readonly string[],
): Promise<Pick<LookupEndpoint, 'origin' | 'keyId'>[]> {
  const { rows } = await sql<Pick<LookupEndpoint, 'origin' | 'keyId'>>`
    select origin, key_id as "keyId" from lookup_endpoint
    where case when key_id is null then cardinality(${keyIds}::text[]) = 0 else key_id <> all(${keyIds}::text[]) end
    order by id desc`.execute(db)
  return rows
}

/**
 * The endpoint by which scenarios of a unit may call an address with one of these origins: one of the unit's own before
 * one for all units, and the first origin before the others.
 */
export async function findLookupEndpoint(
  db: Db | Trx,
  unitId: string,
  origins: readonly string[],
): Promise<Pick<LookupEndpoint, 'keyId' | 'sendUid'> | undefined> {
  const { rows } = await sql<Pick<LookupEndpoint, 'keyId' | 'sendUid'>>`
    select key_id as "keyId", send_uid as "sendUid" from lookup_endpoint
    where origin = any(${origins}::text[]) and (unit_id is null or unit_id = ${unitId})
    order by unit_id nulls last, array_position(${origins}::text[], origin) limit 1
  `.execute(db)
  return rows[0]
}
