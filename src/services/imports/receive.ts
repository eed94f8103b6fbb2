import type { ImportFormat } from '../../contract/enums.ts'
import type { Import } from '../../contract/subjects/imports.ts'
import type { Db } from '../../db/connect.ts'
import { insertAudit } from '../../db/queries/audit/audit.ts'
import { announceImport } from '../../db/queries/callback/objects.ts'
import { deleteImport, endUpload, insertChunk, insertImport } from '../../db/queries/subject/import.ts'
import type { ImportLine } from '../../db/tables.ts'
import { findOwnImport } from './find.ts'
import { linesOf } from './lines.ts'
import { oneLineEach } from './one-line-each.ts'

/** Lines written in one transaction, and their characters as JSON: a worker reads a chunk as a whole. */
const chunkMost = { lines: 1_000, characters: 1_000_000 }

type NewImport = {
  unitId: string | null
  actor: string
  format: ImportFormat
  ref?: string | undefined
}

/**
 * Streams a file into chunks, which workers write, and returns the import. An unreadable or incomplete file leaves no
 * rows.
 * @throws ServiceError validation_error, payload_too_large
 */
export async function receiveImport(
  db: Db,
  { unitId, actor, format, ref }: NewImport,
  bytes: AsyncIterable<Buffer>,
): Promise<Import> {
  const id = await insertImport(db, { unitId, actor, format, ref: ref ?? null })
  try {
    const lines = await storeLines(db, id, oneLineEach(linesOf(bytes, format)))
    await db.transaction().execute(async (trx) => {
      await endUpload(trx, id, lines)
      await announceImport(trx, id)
      await insertAudit(trx, {
        unitId,
        actor,
        action: 'create',
        objectKind: 'import',
        objectId: id,
        details: { format, lines },
      })
    })
  } catch (error) {
    await deleteImport(db, id)
    throw error
  }
  return findOwnImport(db, unitId, id)
}

async function storeLines(db: Db, id: string, lines: AsyncIterable<ImportLine>): Promise<number> {
  let count = 0
  let chunk: ImportLine[] = []
  let characters = 0
  for await (const line of lines) {
    chunk.push(line)
    count += 1
    characters += JSON.stringify(line).length
    if (chunk.length < chunkMost.lines && characters < chunkMost.characters) continue
    await insertChunk(db, id, count, chunk)
    chunk = []
    characters = 0
  }
  if (chunk.length > 0) await insertChunk(db, id, count, chunk)
  return count
}
