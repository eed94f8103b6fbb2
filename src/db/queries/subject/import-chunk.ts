import { sql } from 'kysely'
import { backOff } from '../../back-off.ts'
import type { Db, Trx } from '../../connect.ts'
import type { ImportLine } from '../../tables.ts'

/** Writing what an import has brought, a chunk at a time. */

export type ImportChunk = {
  importId: string
  unitId: string | null
  ref: string | null
  number: number
  lines: ImportLine[]
}

/**
 * Takes the next chunk of an import that nobody is at and that is not put off: of this one, or of the one that is least
 * far, so that a small file does not wait for a large one; undefined where there is none. The lock on the import is the
 * lease: chunks of one file are written one after another, and a worker that dies lets go of it.
 */
export async function takeChunk(trx: Trx, importId: string | null): Promise<ImportChunk | undefined> {
  const taken = await sql<{ id: string }>`
    select id from import
    where state in ('waiting', 'working') and next_try_at <= clock_timestamp()
      and (${importId}::uuid is null or id = ${importId}::uuid)
    order by done, id limit 1 for update skip locked
  `.execute(trx)
  // Asked once the lock is held: whoever held it before may have ended a chunk since the statement above began.
  const { rows } = await sql<ImportChunk>`
    select import.id as "importId", unit_id as "unitId", ref, number, import_chunk.lines
    from import join import_chunk on import_id = import.id
    where import.id = ${taken.rows[0]?.id ?? null}::uuid
    order by number limit 1
  `.execute(trx)
  return rows[0]
}

export type Refusal = { line: number; field: string | null; reason: string }

/**
 * The chunk is written, all but the refused lines; answers whether the import is done. Its lines are not kept. The next
 * chunk has its tries before it.
 */
export async function endChunk(
  trx: Trx,
  { importId, number, lines }: ImportChunk,
  refusals: Refusal[],
): Promise<boolean> {
  const { rows } = await sql<{ over: boolean }>`
    with gone as (
      delete from import_chunk where import_id = ${importId} and number = ${number}
    ),
    told as (
      insert into import_refusal (import_id, line, field, reason)
      select ${importId}::uuid, line, field, reason
      from jsonb_to_recordset(${JSON.stringify(refusals)}) as given (line integer, field text, reason text)
    )
    update import
    set tries = 0, next_try_at = clock_timestamp(), done = done + ${lines.length}::integer, refused = refused + ${refusals.length}::integer,
      written = written + ${lines.length - refusals.length}::integer,
      state = case when done + ${lines.length}::integer = lines then 'done' else 'working' end,
      finished_at = case when done + ${lines.length}::integer = lines then clock_timestamp() end
    where id = ${importId}
    returning state = 'done' as over
  `.execute(trx)
  return rows[0]!.over
}

/** An import's next chunk could not be written: it comes again, later each time. Answers how often it was tried. */
export async function deferImport(db: Db, importId: string): Promise<number> {
  const { tries } = await db
    .updateTable('import')
    .set((eb) => ({ tries: eb('tries', '+', 1), next_try_at: backOff }))
    .where('id', '=', importId)
    .returning('tries')
    .executeTakeFirstOrThrow()
  return tries
}

/** Locks an import whose chunk failed. False where somebody else is at it, or has gone on with the chunk meanwhile. */
export async function lockFailedChunk(trx: Trx, { importId, number, lines }: ImportChunk): Promise<boolean> {
  const locked = await sql`select from import where id = ${importId} for update skip locked`.execute(trx)
  const { rows } = await sql`
    select from import_chunk
    where import_id = ${importId} and number = ${number} and jsonb_array_length(lines) = ${lines.length}
  `.execute(trx)
  return locked.rows.length > 0 && rows.length > 0
}

/** Makes each line of a chunk a chunk of its own, due at once. A chunk bears the number of lines up to its own end. */
export async function splitChunk(trx: Trx, { importId, number, lines }: ImportChunk): Promise<void> {
  await trx
    .deleteFrom('import_chunk')
    .where('import_id', '=', importId)
    .where('number', '=', number)
    .execute()
  await sql`
    insert into import_chunk (import_id, number, lines)
    select ${importId}::uuid, ${number - lines.length}::integer + place, jsonb_build_array(line)
    from jsonb_array_elements(${JSON.stringify(lines)}::jsonb) with ordinality as each (line, place)
  `.execute(trx)
  await trx
    .updateTable('import')
    .set({ tries: 0, next_try_at: sql<Date>`clock_timestamp()` })
    .where('id', '=', importId)
    .execute()
}

/** Imports that are held up by a chunk that could not be written so far. */
export async function countImports(db: Db): Promise<{ late: number }> {
  const { late } = await db
    .selectFrom('import')
    .select(({ fn }) => fn.countAll<number>().as('late'))
    .where('state', '<>', 'done')
    .where('tries', '>', 0)
    .executeTakeFirstOrThrow()
  return { late }
}

/** Hours after which a file that is still coming in will never be here. */
const abandonedAfterHours = 1

/** Forgets files whose sender, or whose receiver, went away in the middle. */
export async function deleteAbandonedImports(db: Db): Promise<void> {
  await sql`
    delete from import
    where state = 'receiving' and created_at < now() - make_interval(hours => ${abandonedAfterHours})
  `.execute(db)
}
