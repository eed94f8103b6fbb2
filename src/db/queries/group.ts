import type { QueryAudience } from '../../domain/audience.ts'
import { anyOf } from '../any-of.ts'
import type { Db, Trx } from '../connect.ts'
import type { LegalBasis } from '../tables.ts'

export type Group = {
  id: string
  unitId: string
  name: string
  kind: 'static' | 'dynamic'
  legalBasis: LegalBasis | null
  parentId: string | null
  query: QueryAudience | null
  createdAt: Date
}

function selectGroup(db: Db | Trx) {
  return db
    .selectFrom('subject_group')
    .select(['id', 'unit_id as unitId', 'name', 'kind', 'legal_basis as legalBasis'])
    .select(['parent_id as parentId', 'query', 'created_at as createdAt'])
}

/** Undefined where there is none in these units. */
export async function findGroup(db: Db | Trx, id: string, unitIds: string[]): Promise<Group | undefined> {
  return selectGroup(db).where('id', '=', id).where('unit_id', '=', anyOf(unitIds)).executeTakeFirst()
}

/** A unit's groups, newest first. */
export async function listGroups(
  db: Db,
  { unitId, before, limit }: { unitId: string; before: string | null; limit: number },
): Promise<Group[]> {
  return selectGroup(db)
    .where('unit_id', '=', unitId)
    .$if(before !== null, (query) => query.where('id', '<', before!))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

/** Which of these are static groups of the unit. */
export async function staticAmong(db: Db, unitId: string, ids: string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('subject_group')
    .select('id')
    .where('unit_id', '=', unitId)
    .where('kind', '=', 'static')
    .where('id', '=', anyOf(ids))
    .execute()
  return rows.map(({ id }) => id)
}

/** Makes a group, without members. Answers its id. */
export async function insertGroup(trx: Trx, group: Omit<Group, 'id' | 'createdAt'>): Promise<string> {
  const { id } = await trx
    .insertInto('subject_group')
    .values({
      unit_id: group.unitId,
      name: group.name,
      kind: group.kind,
      legal_basis: group.legalBasis,
      parent_id: group.parentId,
      query: group.query && JSON.stringify(group.query),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Writes all that may change of a locked group. */
export async function updateGroup(
  trx: Trx,
  { id, name, legalBasis, parentId, query }: Omit<Group, 'unitId' | 'kind' | 'createdAt'>,
): Promise<void> {
  await trx
    .updateTable('subject_group')
    .set({ name, legal_basis: legalBasis, parent_id: parentId, query: query && JSON.stringify(query) })
    .where('id', '=', id)
    .execute()
}
