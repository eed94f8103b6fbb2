import { type SelectQueryBuilder, sql } from 'kysely'
import type { ImportFormat } from '../../../contract/enums.ts'
import type { Db, Trx } from '../../connect.ts'
import { pageOfUnit, type RowPage } from '../../rows.ts'
import type { Database, ImportLine } from '../../tables.ts'
import { actorName } from '../identity/person.ts'

/** Bulk imports: creating and reading them. */

/** Creates an import whose file is being uploaded. Returns its id. */
export async function insertImport(
  db: Db,
  values: { unitId: string | null; actor: string; format: ImportFormat; ref: string | null },
): Promise<string> {
  const { unitId, actor, format, ref } = values
  const { id } = await db
    .insertInto('import')
    .values({ unit_id: unitId, actor, format, ref })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Stores lines of a file; chunks are written in the order of their numbers. */
export async function insertChunk(
  db: Db,
  importId: string,
  number: number,
  lines: ImportLine[],
): Promise<void> {
  await db
    .insertInto('import_chunk')
    .values({ import_id: importId, number, lines: JSON.stringify(lines) })
    .execute()
}

/** Ends the upload. An import without lines is completed at once. */
export async function endUpload(trx: Trx, id: string, lines: number): Promise<void> {
  await trx
    .updateTable('import')
    .set(lines > 0 ? { lines, state: 'queued' } : { state: 'completed', finished_at: sql<Date>`now()` })
    .where('id', '=', id)
    .execute()
}

/** Deletes an import with its stored lines; people already written stay. */
export async function deleteImport(db: Db, id: string): Promise<void> {
  await db.deleteFrom('import').where('id', '=', id).execute()
}

/** An import of any unit. */
export async function findImport(db: Db, id: string): Promise<ImportRow | undefined> {
  return selectImports(db).where('id', '=', id).executeTakeFirst()
}

export async function listImports(db: Db, unitId: string, page: RowPage): Promise<ImportRow[]> {
  return pageOfUnit(selectImports(db), 'import', unitId, page).execute()
}

function selectImports(db: Db) {
  return db
    .selectFrom('import')
    .selectAll()
    .select(({ ref }) => actorName(ref('import.actor')).as('actor_name'))
}
export type ImportRow =
  ReturnType<typeof selectImports> extends SelectQueryBuilder<Database, 'import', infer Row> ? Row : never

/** The rejected lines of an import, after line `after`. */
export async function listRefusals(db: Db, importId: string, { after, limit }: RowPage<number>) {
  return db
    .selectFrom('import_refusal')
    .select(['line', 'field', 'reason'])
    .where('import_id', '=', importId)
    .where('line', '>', after ?? 0)
    .orderBy('line')
    .limit(limit)
    .execute()
}
