import type { Logger } from 'pino'
import type { Db, Trx } from '../../db/connect.ts'
import { insertAudit } from '../../db/queries/audit/audit.ts'
import { announceImport } from '../../db/queries/callback/objects.ts'
import {
  deferImport,
  endChunk,
  type ImportChunk,
  lockFailedChunk,
  type Refusal,
  splitChunk,
  takeChunk,
} from '../../db/queries/subject/import-chunk.ts'
import { isUnavailable } from '../../db/unavailable.ts'
import { addressHasher } from '../address-hash.ts'
import { processNext, type Queue } from '../queue.ts'
import type { SecretBox } from '../secret-box.ts'
import { validateLines } from './validate-lines.ts'
import { writePeople } from './write.ts'

/** Tries of a chunk while the database is unavailable. */
const triesAtMost = 5

/**
 * Writes the next chunk of this import, or of any, in one transaction: a process that dies leaves no partial chunk.
 * Returns false if no chunk is available.
 */
export function writeNextChunk(services: ImportServices, importId: string | null = null): Promise<boolean> {
  return processNext(services, chunksOf(services, importId))
}

/** What writing people needs. */
export type ImportServices = { db: Db; secrets?: SecretBox | undefined; log?: Logger }

function chunksOf({ secrets }: ImportServices, importId: string | null): Queue<ImportChunk> {
  return {
    take: (trx) => takeChunk(trx, importId),
    process: (trx, chunk) => writeChunk(trx, chunk, secrets),
    defer: deferChunk,
  }
}

async function writeChunk(trx: Trx, chunk: ImportChunk, secrets: SecretBox | undefined): Promise<void> {
  const { good, rejected } = validateLines(chunk.lines)
  const hashOf = await addressHasher(trx, secrets)
  const lost = await writePeople(trx, good, { ref: chunk.ref, hashOf })
  await end(trx, chunk, [...rejected, ...lost])
}

/**
 * Splits a chunk that the database rejects, or that exhausted its tries, into single lines. A single line that fails is
 * rejected, and the import continues.
 */
async function deferChunk(db: Db, chunk: ImportChunk, error: unknown): Promise<object> {
  const { importId, number, lines } = chunk
  const tries = await deferImport(db, importId)
  if (!isUnavailable(error) || tries >= triesAtMost)
    await db.transaction().execute(async (trx) => {
      if (!(await lockFailedChunk(trx, chunk))) return
      await (lines.length > 1 ? splitChunk(trx, chunk) : end(trx, chunk, [refusalOf(chunk, error)]))
    })
  return { importId, chunk: number, lines: lines.length, tries }
}

async function end(trx: Trx, chunk: ImportChunk, rejected: Refusal[]): Promise<void> {
  if (!(await endChunk(trx, chunk, rejected))) return
  await auditEnd(trx, chunk)
  await announceImport(trx, chunk.importId)
}

/** Gives the database's error code only: its message may contain values of the line. */
function refusalOf({ lines: [line] }: ImportChunk, error: unknown): Refusal {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
  return { line: line!.line, field: null, reason: `cannot be stored (${code})` }
}

function auditEnd(trx: Trx, { importId, unitId }: ImportChunk): Promise<void> {
  return insertAudit(trx, {
    unitId,
    actor: 'system:run',
    action: 'finish',
    objectKind: 'import',
    objectId: importId,
  })
}
