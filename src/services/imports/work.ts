import { sql } from 'kysely'
import type { Db, Trx } from '../../db/connect.ts'
import { insertAudit } from '../../db/queries/audit.ts'
import {
  deleteAbandoned,
  endChunk,
  type Refusal,
  type TakenChunk,
  takeChunk,
} from '../../db/queries/import-work.ts'
import { isUnavailable } from '../../db/unavailable.ts'
import type { Services } from '../context.ts'
import { type Rounds, startRounds } from '../rounds.ts'
import { type GoodLine, sortLines } from './sort.ts'
import { writePeople } from './write.ts'

/** How often imports are looked for that nobody is at, ms. */
const roundMs = 1_000

/** Writes what imports bring, until it is stopped; every worker process may. */
export function startImports({ db, log }: Pick<Services, 'db' | 'log'>): Rounds {
  return startRounds({ log, what: 'imports', everyMs: roundMs }, async () => {
    if (await workOffChunk(db)) return true
    await deleteAbandoned(db)
    return false
  })
}

/**
 * Writes the next chunk of an import (of this one, or of any) in one transaction, so that a process that dies in it
 * has done nothing. Answers false where nobody needs to. Where the chunk as a whole is refused by the database, its lines
 * are written one by one, and only what cannot be stored is refused.
 */
export async function workOffChunk(db: Db, importId: string | null = null): Promise<boolean> {
  try {
    return await inOneTransaction(db, importId, writePeople)
  } catch (error) {
    if (isUnavailable(error)) throw error
    return inOneTransaction(db, importId, writeOneByOne)
  }
}

function inOneTransaction(db: Db, importId: string | null, write: typeof writePeople): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const chunk = await takeChunk(trx, importId)
    if (!chunk) return false
    const { good, refused } = sortLines(chunk.lines)
    const lost = await write(trx, good, chunk.ref)
    if (await endChunk(trx, chunk, [...refused, ...lost])) await auditEnd(trx, chunk)
    return true
  })
}

async function writeOneByOne(trx: Trx, lines: GoodLine[], ref: string | null): Promise<Refusal[]> {
  const refused: Refusal[] = []
  for (const line of lines) {
    await sql`savepoint line`.execute(trx)
    try {
      refused.push(...(await writePeople(trx, [line], ref)))
    } catch (error) {
      if (isUnavailable(error)) throw error
      await sql`rollback to savepoint line`.execute(trx)
      refused.push({ line: line.line, field: null, reason: `cannot be stored (${codeOf(error)})` })
    }
    await sql`release savepoint line`.execute(trx)
  }
  return refused
}

/** The database's own code; its message might tell what stood in the line. */
function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
}

function auditEnd(trx: Trx, { importId, unitId }: TakenChunk): Promise<void> {
  return insertAudit(trx, {
    unitId,
    actor: 'system:run',
    action: 'finish',
    objectKind: 'import',
    objectId: importId,
  })
}
