import type { Insertable } from 'kysely'
import type { Db, Trx } from '../../connect.ts'
import { newestFirst, type RowPage } from '../../rows.ts'
import type { OccurrenceRow, OccurrenceTable } from '../../tables.ts'

export type NewOccurrence = Insertable<OccurrenceTable>

/** Writes occurrences in their order, under the lock of their schedule; one that is there already stays as it is. */
export async function insertOccurrences(trx: Trx, occurrences: NewOccurrence[]): Promise<void> {
  if (occurrences.length === 0) return
  await trx
    .insertInto('occurrence')
    .values(occurrences)
    .onConflict((conflict) => conflict.columns(['schedule_id', 'key']).doNothing())
    .execute()
}

/** Whether a schedule has had this occurrence. */
export async function hasOccurred(trx: Trx, scheduleId: string, key: string): Promise<boolean> {
  const row = await trx
    .selectFrom('occurrence')
    .select('id')
    .where('schedule_id', '=', scheduleId)
    .where('key', '=', key)
    .executeTakeFirst()
  return row !== undefined
}

export async function listOccurrences(db: Db, scheduleId: string, page: RowPage): Promise<OccurrenceRow[]> {
  const all = db.selectFrom('occurrence').selectAll().where('schedule_id', '=', scheduleId)
  return newestFirst(all, 'id', page).execute()
}
