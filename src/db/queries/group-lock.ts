import { sql } from 'kysely'
import type { Trx } from '../connect.ts'
import { findGroup, type Group } from './group.ts'

/**
 * Locks a group until the transaction ends. `share`: its members only grow, others may add as well; `change`: nobody
 * else adds or removes, here or in its children. Undefined where the unit has none of this id. Whoever locks several
 * groups locks a child before its parent.
 */
export async function lockGroup(
  trx: Trx,
  id: string,
  unitIds: string[],
  how: 'share' | 'change',
): Promise<Group | undefined> {
  const row = trx.selectFrom('subject_group').select('id').where('id', '=', id)
  await (how === 'share' ? row.forShare() : row.forNoKeyUpdate()).execute()
  return findGroup(trx, id, unitIds)
}

/** Lets nobody else change who is whose parent in this unit until the transaction ends; before any group is locked. */
export async function lockFamilies(trx: Trx, unitId: string): Promise<void> {
  await trx.selectFrom('unit').select('id').where('id', '=', unitId).forNoKeyUpdate().execute()
}

/** Whether `id` is `ancestor` or has it above itself. */
export async function isWithin(trx: Trx, id: string, ancestor: string): Promise<boolean> {
  const { rows } = await sql<{ within: boolean }>`
    with recursive line (id, parent_id) as (
      select id, parent_id from subject_group where id = ${id}
      union select above.id, above.parent_id from subject_group as above join line on above.id = line.parent_id
    )
    select exists (select from line where id = ${ancestor}) as within`.execute(trx)
  return rows[0]!.within
}
