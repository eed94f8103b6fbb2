import { sql } from 'kysely'
import type { ProducerPrincipal } from '../../../domain/rights/principal.ts'
import type { Db } from '../../connect.ts'
import type { RowPage } from '../../rows.ts'

/** What the `producer` auth scheme needs: the hash to compare with, and the principal if it matches. */
type Credential = { secretHash: Buffer; revoked: boolean; principal: ProducerPrincipal }

/** The credential of a key, revoked or not; undefined if the key never existed. */
export async function findCredential(db: Db, keyId: string): Promise<Credential | undefined> {
  const row = await db
    .selectFrom('producer_key as k')
    .innerJoin('unit as u', 'u.id', 'k.unit_id')
    .select(['k.id', 'k.unit_id', 'k.secret_hash', 'k.categories', 'k.dimensions', 'k.individual_targeting'])
    .select(['k.group_writing', 'k.handoff_reply', 'k.revoked_at', 'u.kind'])
    .where('k.id', '=', keyId)
    .executeTakeFirst()
  if (!row) return undefined
  return {
    secretHash: row.secret_hash,
    revoked: row.revoked_at !== null,
    principal: {
      kind: 'producer',
      keyId: row.id,
      unitId: row.unit_id,
      unitKind: row.kind,
      categories: row.categories,
      dimensions: row.dimensions,
      individualTargeting: row.individual_targeting,
      groupWriting: row.group_writing,
      handoffReply: row.handoff_reply,
    },
  }
}

export type NewKey = {
  id: string
  unitId: string
  name: string
  secretHash: Buffer
  categories: string[] | null
  dimensions: string[] | null
  individualTargeting: boolean
  groupWriting: boolean
  handoffReply: boolean
}

/** Stores a key with the hash of its secret. */
export async function insertKey(db: Db, key: NewKey): Promise<void> {
  await db
    .insertInto('producer_key')
    .values({
      id: key.id,
      unit_id: key.unitId,
      name: key.name,
      secret_hash: key.secretHash,
      categories: key.categories,
      dimensions: key.dimensions,
      individual_targeting: key.individualTargeting,
      group_writing: key.groupWriting,
      handoff_reply: key.handoffReply,
    })
    .execute()
}

/** Revokes a key, effective immediately. Returns its unit, or undefined if there is no active key with this id. */
export async function revokeKey(db: Db, keyId: string): Promise<{ unitId: string } | undefined> {
  const row = await db
    .updateTable('producer_key')
    .set({ revoked_at: sql`now()` })
    .where('id', '=', keyId)
    .where('revoked_at', 'is', null)
    .returning('unit_id')
    .executeTakeFirst()
  return row && { unitId: row.unit_id }
}

export type KeyListItem = {
  id: string
  unitId: string
  name: string
  categories: string[] | null
  dimensions: string[] | null
  individualTargeting: boolean
  groupWriting: boolean
  handoffReply: boolean
  createdAt: Date
  revokedAt: Date | null
}

function selectKey(db: Db) {
  return db
    .selectFrom('producer_key as k')
    .select(['k.id', 'k.unit_id as unitId', 'k.name', 'k.categories', 'k.dimensions'])
    .select(['k.individual_targeting as individualTargeting', 'k.group_writing as groupWriting'])
    .select('k.handoff_reply as handoffReply')
    .select(['k.created_at as createdAt', 'k.revoked_at as revokedAt'])
}

/** A key without its secret, revoked or not. */
export async function findKey(db: Db, id: string): Promise<KeyListItem | undefined> {
  return selectKey(db).where('k.id', '=', id).executeTakeFirst()
}

/** The id of a key of this unit that has not been revoked. */
export async function findActiveKey(db: Db, id: string, unitId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('producer_key')
    .select('id')
    .where('id', '=', id)
    .where('unit_id', '=', unitId)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  return row?.id
}

/** Whether a unit has a key, not revoked, that may reply in its handoffs. */
export async function keysMayReply(db: Db, unitId: string): Promise<boolean> {
  const row = await db
    .selectFrom('producer_key')
    .select('id')
    .where('unit_id', '=', unitId)
    .where('handoff_reply', 'is', true)
    .where('revoked_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

type KeyFilter = { unitId?: string | undefined } & Partial<RowPage>

/** The keys of a unit (without `unitId`, of all units), newest first, without secrets. */
export async function listKeys(db: Db, { unitId, after = null, limit }: KeyFilter): Promise<KeyListItem[]> {
  const older = sql<boolean>`(k.created_at, k.id) < (select created_at, id from producer_key where id = ${after})`
  return selectKey(db)
    .$if(unitId !== undefined, (query) => query.where('k.unit_id', '=', unitId!))
    .$if(after !== null, (query) => query.where(older))
    .orderBy('k.created_at', 'desc')
    .orderBy('k.id', 'desc')
    .$if(limit !== undefined, (query) => query.limit(limit!))
    .execute()
}
