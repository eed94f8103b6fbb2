import type { Import, ImportPage, RejectedLinePage } from '../../contract/subjects/imports.ts'
import type { Db } from '../../db/connect.ts'
import {
  findImport,
  type ImportRow,
  listRefusals,
  listImports as listRows,
} from '../../db/queries/subject/import.ts'
import type { ProducerPrincipal } from '../../domain/rights/principal.ts'
import { actorView } from '../actor.ts'
import type { Services } from '../context.ts'
import { toInstant } from '../instants.ts'
import { byId, byNumber, type PageQuery, pageOf } from '../page.ts'
import { orNotFound } from '../unit-access.ts'

/**
 * An import of a unit, or of the command line if the unit is null.
 * @throws ServiceError not_found
 */
export async function findOwnImport(db: Db, unitId: string | null, id: string): Promise<Import> {
  const row = await findImport(db, id)
  return importOf(orNotFound(row?.unit_id === unitId ? row : undefined, 'import'))
}

/** The imports of the caller's unit, newest first. */
export async function listImports(
  { db }: Services,
  { unitId }: ProducerPrincipal,
  query: PageQuery,
): Promise<ImportPage> {
  return pageOf(query, byId, (page) => listRows(db, unitId, page), importOf)
}

/**
 * The rejected lines of an import, in the order of the file.
 * @throws ServiceError not_found, validation_error
 */
export async function listRejectedLines(
  { db }: Services,
  { unitId }: ProducerPrincipal,
  id: string,
  query: PageQuery,
): Promise<RejectedLinePage> {
  await findOwnImport(db, unitId, id)
  return pageOf(
    query,
    byNumber(({ line }: { line: number }) => line, 9),
    (page) => listRefusals(db, id, page),
    ({ line, field, reason }) => ({ line, column: field, reason }),
  )
}

function importOf(row: ImportRow): Import {
  const { id, state, format, lines, processed, rejected } = row
  return {
    id,
    state,
    format,
    lines,
    processed,
    written: row.written,
    rejected,
    by: actorView(row.actor, row.actor_name),
    createdAt: row.created_at.toISOString(),
    finishedAt: toInstant(row.finished_at),
  }
}
