import { ServiceError } from '../../contract/errors.ts'
import type { Import, ImportPage, RefusedLinePage } from '../../contract/imports/import.ts'
import type { Db } from '../../db/connect.ts'
import {
  findImport,
  type ImportRow,
  listRefusals,
  listImports as listRows,
} from '../../db/queries/subject/import.ts'
import type { ProducerPrincipal } from '../../domain/principal.ts'
import { actor } from '../actor.ts'
import type { Services } from '../context.ts'
import { instant } from '../moments.ts'
import { idOfCursor, keyOf, noCursor, pageOf } from '../page.ts'

type PageQuery = { cursor?: string | undefined; limit: number }

/**
 * An import of a unit; of the command line's, where the unit is null.
 * @throws ServiceError not_found
 */
export async function findOwnImport(db: Db, unitId: string | null, id: string): Promise<Import> {
  const row = await findImport(db, id)
  if (!row || row.unit_id !== unitId)
    throw new ServiceError('not_found', 'There is no such import. Check the id.')
  return importOf(row)
}

/** The imports of the caller's unit, newest first. */
export async function listImports(
  { db }: Services,
  { unitId }: ProducerPrincipal,
  { cursor, limit }: PageQuery,
): Promise<ImportPage> {
  const rows = await listRows(db, { unitId, before: idOfCursor(cursor), limit: limit + 1 })
  return pageOf(rows, limit, (row) => row.id, importOf)
}

/**
 * The refused lines of an import, in the order of the file.
 * @throws ServiceError not_found, validation_error
 */
export async function listRefusedLines(
  { db }: Services,
  { unitId }: ProducerPrincipal,
  id: string,
  { cursor, limit }: PageQuery,
): Promise<RefusedLinePage> {
  await findOwnImport(db, unitId, id)
  const after = Number(keyOf(cursor) ?? 0)
  if (!Number.isSafeInteger(after) || after < 0) throw noCursor()
  const rows = await listRefusals(db, id, { after, limit: limit + 1 })
  return pageOf(
    rows,
    limit,
    ({ line }) => String(line),
    ({ line, field, reason }) => ({ line, column: field, reason }),
  )
}

function importOf(row: ImportRow): Import {
  const { id, state, format, lines, done, written, refused } = row
  return {
    id,
    state,
    format,
    lines,
    done,
    written,
    refused,
    by: actor(row.actor, row.actor_name),
    createdAt: row.created_at.toISOString(),
    finishedAt: instant(row.finished_at),
  }
}
