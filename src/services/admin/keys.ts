import type { KeyListQuery, ProducerKey } from '../../contract/admin/key.ts'
import { ServiceError } from '../../contract/errors.ts'
import type { OwnKey } from '../../contract/identity/own-key.ts'
import { broken } from '../../contract/rules.ts'
import type { Db } from '../../db/connect.ts'
import { insertAudit } from '../../db/queries/audit/audit.ts'
import { findCategory } from '../../db/queries/catalogue/category.ts'
import {
  findKey,
  insertKey,
  type KeyListItem,
  listKeys as listRows,
  type NewKey,
  revokeKey as revokeRow,
} from '../../db/queries/identity/key.ts'
import { findUnit } from '../../db/queries/identity/unit.ts'
import type { ProducerPrincipal } from '../../domain/rights/principal.ts'
import { randomSecret, randomToken, sha256 } from '../../signing.ts'
import { assertRoomFor } from '../bounds.ts'
import type { Services } from '../context.ts'
import { byTextId, type Page, pageOf } from '../page.ts'
import { unknownReference, validationError } from '../validation-error.ts'

export async function listKeys(db: Db, query: KeyListQuery): Promise<Page<ProducerKey>> {
  const { unitId } = query
  return pageOf(query, byTextId, (page) => listRows(db, { unitId, ...page }), toProducerKey)
}

/** A key as the API returns it. */
export function toProducerKey({ createdAt, revokedAt, ...key }: KeyListItem): ProducerKey {
  return { ...key, createdAt: createdAt.toISOString(), revokedAt: revokedAt?.toISOString() ?? null }
}

export type KeyRights = Pick<
  NewKey,
  'categories' | 'dimensions' | 'individualTargeting' | 'groupWriting' | 'handoffReply'
>

const keyIdLength = 12

/**
 * Issues a producer key for a unit. `key` is the bearer token for the Authorization header; only its hash is stored, so
 * it can be shown only once.
 * @throws ServiceError not_found for the unit, or for a category in its rights; validation_error if it may use none
 */
export async function createKey(
  db: Db,
  actor: string,
  { unitId, name, ...rights }: { unitId: string; name: string } & KeyRights,
): Promise<{ id: string; key: string }> {
  if (rights.categories?.length === 0)
    throw validationError([{ path: 'categories', ...broken('empty', { reason: 'all_categories' }) }])
  if (!(await findUnit(db, unitId))) throw new ServiceError('not_found', `No unit ${unitId}. Check the id.`)
  for (const [index, category] of (rights.categories ?? []).entries())
    if (!(await findCategory(db, category)))
      throw unknownReference(`categories[${index}]`, 'category', `No category ${category}. Check the id.`)
  const id = randomToken(keyIdLength)
  const secret = randomSecret()
  await db.transaction().execute(async (trx) => {
    await assertRoomFor(trx, 'keys', unitId)
    await insertKey(trx, { id, unitId, name, secretHash: sha256(secret), ...rights })
    await insertAudit(trx, {
      unitId,
      actor,
      action: 'create',
      objectKind: 'key',
      objectId: id,
      details: rights,
    })
  })
  return { id, key: `hub_${id}_${secret}` }
}

/**
 * Revokes a producer key, effective immediately.
 * @throws ServiceError not_found
 */
export async function revokeKey(db: Db, actor: string, id: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const revoked = await revokeRow(trx, id)
    if (!revoked)
      throw new ServiceError('not_found', `No active key ${id}: it does not exist or has been revoked.`)
    await insertAudit(trx, {
      unitId: revoked.unitId,
      actor,
      action: 'revoke',
      objectKind: 'key',
      objectId: id,
    })
  })
}

/** The key that calls, and its unit. Neither is ever deleted, and authentication has just found both. */
export async function getOwnKey(
  { db }: Pick<Services, 'db'>,
  { keyId, unitId }: ProducerPrincipal,
): Promise<Omit<OwnKey, 'limits'>> {
  const [key, unit] = await Promise.all([findKey(db, keyId), findUnit(db, unitId)])
  const { unitId: _unitId, revokedAt: _revokedAt, ...rights } = toProducerKey(key!)
  const { id, name, kind, timeZone } = unit!
  return { ...rights, unit: { id, name, kind, timeZone } }
}
