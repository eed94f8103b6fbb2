import { type Selectable, sql } from 'kysely'
import type { Db, Trx } from '../../connect.ts'
import { inUnits, pageOfUnit, type RowPage } from '../../rows.ts'
import type { EventBindingTable } from '../../tables.ts'

export type EventBindingRow = Selectable<EventBindingTable>
export type EventBindingFields = Omit<EventBindingRow, 'id' | 'unit_id' | 'created_at' | 'updated_at'>

/** The enabled binding of (source, type), if this signing key may trigger it. */
export async function findBindingInForce(
  db: Db,
  { source, type, key_id }: { source: string; type: string; key_id: string },
): Promise<EventBindingRow | undefined> {
  return db
    .selectFrom('event_binding')
    .selectAll()
    .where('source', '=', source)
    .where('type', '=', type)
    .where('enabled', '=', true)
    .where((is) => is.or([is('key_ids', 'is', null), is(is.val(key_id), '=', is.fn.any('key_ids'))]))
    .executeTakeFirst()
}

/** A binding of one of these units. */
export async function findBinding(
  db: Db,
  id: string,
  unitIds: string[],
): Promise<EventBindingRow | undefined> {
  return inUnits(selectBinding(db), 'event_binding', id, unitIds).executeTakeFirst()
}

/** The same, locked. */
export async function lockBinding(
  trx: Trx,
  id: string,
  unitIds: string[],
): Promise<EventBindingRow | undefined> {
  return inUnits(selectBinding(trx), 'event_binding', id, unitIds).forUpdate().executeTakeFirst()
}

function selectBinding(db: Db) {
  return db.selectFrom('event_binding').selectAll()
}

/** A unit's bindings, newest first. */
export async function listBindings(db: Db, unitId: string, page: RowPage): Promise<EventBindingRow[]> {
  return pageOfUnit(selectBinding(db), 'event_binding', unitId, page).execute()
}

/** Violates `event_binding_in_force` if another binding of (source, type) is enabled; so does `updateBinding`. */
export async function insertBinding(
  trx: Trx,
  unitId: string,
  fields: EventBindingFields,
): Promise<EventBindingRow> {
  return trx
    .insertInto('event_binding')
    .values({ unit_id: unitId, ...columnsOf(fields) })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Writes all fields of a locked binding. */
export async function updateBinding(
  trx: Trx,
  id: string,
  fields: EventBindingFields,
): Promise<EventBindingRow> {
  return trx
    .updateTable('event_binding')
    .set({ ...columnsOf(fields), updated_at: sql<Date>`clock_timestamp()` })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Deletes a locked binding; its events stay. */
export async function deleteBinding(trx: Trx, id: string): Promise<void> {
  await trx.deleteFrom('event_binding').where('id', '=', id).execute()
}

function columnsOf({ audience, ...fields }: EventBindingFields) {
  return { ...fields, audience: JSON.stringify(audience) }
}
