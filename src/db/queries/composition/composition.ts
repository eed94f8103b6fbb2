import { sql } from 'kysely'
import type { CompositionKind } from '../../../contract/enums.ts'
import type { Db, Trx } from '../../connect.ts'
import { inUnits, pageOfUnit, type RowPage } from '../../rows.ts'
import { actorName } from '../identity/person.ts'

/** What somebody writes. `title`: the first text of it, `form`: its fields, by name, complete or not. */
export type Composition = {
  id: string
  unitId: string
  kind: CompositionKind
  messageId: string | null
  templateId: string | null
  title: string
  form: [name: string, value: string][]
  version: number
  updatedBy: string
  updatedByName: string | null
  updatedAt: Date
}

/** What a list shows of one: forms may be long. */
export type ListedComposition = Omit<Composition, 'form'>

function selectComposition(db: Db | Trx) {
  return db
    .selectFrom('composition')
    .select(['id', 'unit_id as unitId', 'kind', 'message_id as messageId', 'title', 'version'])
    .select(['template_id as templateId', 'updated_by as updatedBy', 'updated_at as updatedAt'])
    .select(({ ref }) => actorName(ref('updated_by')).as('updatedByName'))
}

/** What is written in one of these units. */
export async function findComposition(
  db: Db | Trx,
  id: string,
  unitIds: string[],
): Promise<Composition | undefined> {
  return inUnits(selectComposition(db).select('form'), 'composition', id, unitIds).executeTakeFirst()
}

/** What is written in a unit and is no message yet, the newest first. */
export async function listCompositions(db: Db, unitId: string, page: RowPage): Promise<ListedComposition[]> {
  return pageOfUnit(selectComposition(db), 'composition', unitId, page).execute()
}

type NewComposition = Pick<Composition, 'unitId' | 'kind' | 'messageId' | 'templateId' | 'title' | 'form'> & {
  actor: string
}

/** Begins one; of what somebody changes already, that one. Returns its id. */
export async function insertComposition(
  trx: Trx,
  { unitId, kind, messageId, templateId, title, form, actor }: NewComposition,
): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into composition (unit_id, kind, message_id, template_id, title, form, created_by, updated_by)
    values (${unitId}, ${kind}, ${messageId}, ${templateId}, ${title}, ${JSON.stringify(form)}, ${actor}, ${actor})
    on conflict do nothing returning id`.execute(trx)
  if (rows[0]) return rows[0].id
  const { id } = await trx
    .selectFrom('composition')
    .select('id')
    .where(({ or, eb }) => or([eb('message_id', '=', messageId), eb('template_id', '=', templateId)]))
    .executeTakeFirstOrThrow()
  return id
}

/** Saves what was written over this version of it; false if somebody has saved another one since. */
export async function saveComposition(
  db: Db | Trx,
  {
    id,
    version,
    title,
    form,
    actor,
  }: Pick<Composition, 'id' | 'version' | 'title' | 'form'> & { actor: string },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('composition')
    .set({ title, form: JSON.stringify(form), updated_by: actor, version: sql`version + 1` })
    .set({ updated_at: sql`clock_timestamp()` })
    .where('id', '=', id)
    .where('version', '=', version)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Deletes one that has become what it was to be, or that nobody wants. False: it is gone already. */
export async function deleteComposition(db: Db | Trx, id: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('composition').where('id', '=', id).executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

/** Names the draft that was made of it. */
export async function nameMessageOf(db: Db | Trx, id: string, messageId: string): Promise<void> {
  await db.updateTable('composition').set({ message_id: messageId }).where('id', '=', id).execute()
}
