import { sql } from 'kysely'
import type { Db } from '../../connect.ts'

/** Tables of objects that belong to one unit. */
export type UnitTable =
  | 'callback'
  | 'event_binding'
  | 'handoff'
  | 'message'
  | 'pattern'
  | 'scenario'
  | 'scenario_run'
  | 'schedule'
  | 'subject_group'
  | 'template'
  | 'topic'

/** Whether one of these units has the object. */
export async function existsInUnits(
  db: Db,
  table: UnitTable,
  id: string,
  unitIds: readonly string[],
): Promise<boolean> {
  const { rows } = await sql`
    select from ${sql.table(table)} where id = ${id} and unit_id = any(${unitIds}::uuid[])`.execute(db)
  return rows.length > 0
}
