import { sql } from 'kysely'
import type { GroupKind, LegalBasis } from '../../../contract/enums.ts'
import type { QueryAudience } from '../../../domain/audience/audience.ts'
import { anyOf } from '../../any-of.ts'
import type { Db, Trx } from '../../connect.ts'
import { contains, foundBy } from '../../contains.ts'
import { inUnits, lockRow, pageOfUnit, type RowPage } from '../../rows.ts'

export type Group = {
  id: string
  unitId: string
  name: string
  kind: GroupKind
  legalBasis: LegalBasis | null
  parentId: string | null
  query: QueryAudience | null
  /** The producer key that keeps it up to date. */
  keptByKeyId: string | null
  createdAt: Date
}

function selectGroup(db: Db | Trx) {
  return db
    .selectFrom('subject_group')
    .select(['id', 'unit_id as unitId', 'name', 'kind', 'legal_basis as legalBasis'])
    .select(['parent_id as parentId', 'query', 'kept_by as keptByKeyId', 'created_at as createdAt'])
}

export async function findGroup(db: Db | Trx, id: string, unitIds: string[]): Promise<Group | undefined> {
  return inUnits(selectGroup(db), 'subject_group', id, unitIds).executeTakeFirst()
}

/** A unit's groups, newest first. */
export async function listGroups(
  db: Db,
  { unitId, q }: { unitId: string; q: string | undefined },
  page: RowPage,
): Promise<Group[]> {
  return pageOfUnit(selectGroup(db), 'subject_group', unitId, page)
    .$if(q !== undefined, (query) => query.where(foundBy(q!, 'subject_group', contains(sql`name`, q!))))
    .execute()
}

/** Which of these are static groups of the unit. */
export async function findStatic(db: Db, unitId: string, ids: string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('subject_group')
    .select('id')
    .where('unit_id', '=', unitId)
    .where('kind', '=', 'static')
    .where('id', '=', anyOf(ids))
    .execute()
  return rows.map(({ id }) => id)
}

/** Creates a group without members. Returns its id. */
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
      kept_by: group.keptByKeyId,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Writes all mutable fields of a locked group. */
export async function updateGroup(
  trx: Trx,
  { id, name, legalBasis, parentId, query, keptByKeyId }: Omit<Group, 'unitId' | 'kind' | 'createdAt'>,
): Promise<void> {
  await trx
    .updateTable('subject_group')
    .set({ name, legal_basis: legalBasis, parent_id: parentId, kept_by: keptByKeyId })
    .set({ query: query && JSON.stringify(query) })
    .where('id', '=', id)
    .execute()
}

/**
 * Locks a group until the transaction ends. `share`: members may only be added, also by others; `change`: no one else
 * adds or removes members, here or in its children. Undefined if the units have no group of this id. Lock order: a
 * child before its parent.
 */
export async function lockGroup(
  trx: Trx,
  id: string,
  unitIds: string[],
  how: 'share' | 'change',
): Promise<Group | undefined> {
  await lockRow(trx, 'subject_group', id, how)
  return findGroup(trx, id, unitIds)
}

/** Locks the parent relations of a unit's groups until the transaction ends. Call it before locking any group. */
export async function lockGroupTrees(trx: Trx, unitId: string): Promise<void> {
  await lockRow(trx, 'unit', unitId, 'change')
}

/** Whether `id` is `ancestor` or a descendant of it. */
export async function isWithin(trx: Trx, id: string, ancestor: string): Promise<boolean> {
  const { rows } = await sql<{ within: boolean }>`
    with recursive line (id, parent_id) as (
      select id, parent_id from subject_group where id = ${id}
      union select above.id, above.parent_id from subject_group as above join line on above.id = line.parent_id
    )
    select exists (select from line where id = ${ancestor}) as within`.execute(trx)
  return rows[0]!.within
}

/** The names of these groups of a unit, by id. */
export async function findGroupNames(
  db: Db,
  unitId: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('subject_group')
    .select(['id', 'name'])
    .where('unit_id', '=', unitId)
    .where('id', '=', anyOf(ids))
    .execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}
