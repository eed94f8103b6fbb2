import { sql } from 'kysely'
import { backOff } from '../../back-off.ts'
import type { Db, Trx } from '../../connect.ts'
import type { ImportLine } from '../../tables.ts'

/** Writing an import, a chunk at a time. */

export type ImportChunk = {
  importId: string
  unitId: string | null
  ref: string | null
  number: number
  lines: ImportLine[]
}

/**
 * Takes the next chunk of an import that is neither locked nor deferred: of the given one, or of the one with the least
 * progress, so that a small file does not wait for a large one. The lock on the import is the lease: chunks of one file
 * are written one after another, and the lock of a dead worker is released.
 */
export async function takeChunk(trx: Trx, importId: string | null): Promise<ImportChunk | undefined> {
  const next = await sql<{ id: string }>`
    select id from import
    where state in ('queued', 'processing') and next_try_at <= clock_timestamp()
      and (${importId}::uuid is null or id = ${importId}::uuid)
    order by processed, id limit 1 for update skip locked
  `.execute(trx)
  // Read after the lock is held: its previous holder may have ended a chunk since the statement above started.
  const { rows } = await sql<ImportChunk>`
    select import.id as "importId", unit_id as "unitId", ref, number, import_chunk.lines
    from import join import_chunk on import_id = import.id
    where import.id = ${next.rows[0]?.id ?? null}::uuid
    order by number limit 1
  `.execute(trx)
  return rows[0]
}

export type Refusal = { line: number; field: string | null; reason: string }

/**
 * Ends a chunk whose people are written, except for the rejected lines, and deletes its lines. The next chunk starts
 * with no tries. Returns whether the import is completed.
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
    rejected as (
      insert into import_refusal (import_id, line, field, reason)
      select ${importId}::uuid, line, field, reason
      from jsonb_to_recordset(${JSON.stringify(refusals)}) as input (line integer, field text, reason text)
    )
    update import
    set tries = 0, next_try_at = clock_timestamp(), processed = processed + ${lines.length}::integer, rejected = rejected + ${refusals.length}::integer,
      written = written + ${lines.length - refusals.length}::integer,
      state = case when processed + ${lines.length}::integer = lines then 'completed' else 'processing' end,
      finished_at = case when processed + ${lines.length}::integer = lines then clock_timestamp() end
    where id = ${importId}
    returning state = 'completed' as over
  `.execute(trx)
  return rows[0]!.over
}

/** Defers an import whose next chunk failed, with back-off. Returns the number of tries. */
export async function deferImport(db: Db, importId: string): Promise<number> {
  const { tries } = await db
    .updateTable('import')
    .set((eb) => ({ tries: eb('tries', '+', 1), next_try_at: backOff }))
    .where('id', '=', importId)
    .returning('tries')
    .executeTakeFirstOrThrow()
  return tries
}

/** Locks an import whose chunk failed. Returns false if another worker holds it, or has changed the chunk meanwhile. */
export async function lockFailedChunk(trx: Trx, { importId, number, lines }: ImportChunk): Promise<boolean> {
  const locked = await sql`select from import where id = ${importId} for update skip locked`.execute(trx)
  const { rows } = await sql`
    select from import_chunk
    where import_id = ${importId} and number = ${number} and jsonb_array_length(lines) = ${lines.length}
  `.execute(trx)
  return locked.rows.length > 0 && rows.length > 0
}

/** Splits a chunk into one chunk per line, due now. A chunk's number is the count of lines up to its own end. */
export async function splitChunk(trx: Trx, { importId, number, lines }: ImportChunk): Promise<void> {
  await trx
    .deleteFrom('import_chunk')
    .where('import_id', '=', importId)
    .where('number', '=', number)
    .execute()
  await sql`
    insert into import_chunk (import_id, number, lines)
    select ${importId}::uuid, ${number - lines.length}::integer + ordinal, jsonb_build_array(line)
    from jsonb_array_elements(${JSON.stringify(lines)}::jsonb) with ordinality as each (line, ordinal)
  `.execute(trx)
  await trx
    .updateTable('import')
    .set({ tries: 0, next_try_at: sql<Date>`clock_timestamp()` })
    .where('id', '=', importId)
    .execute()
}

/**
 * Rejects the lines about an erased person that are not written yet: they were given before the erasure. Waits for
 * chunks that are being written, which lock their import before people.
 */
export async function rejectLinesOf(trx: Trx, uid: string): Promise<void> {
  const names = sql`lines @> jsonb_build_array(jsonb_build_object('record', jsonb_build_object('uid', ${uid}::text)))`
  await sql`
    select from import where id in (select import_id from import_chunk where ${names}) order by id for update
  `.execute(trx)
  await sql`
    update import_chunk set lines = (
      select jsonb_agg(case when line #>> '{record,uid}' = ${uid}
        then line || '{"record": "names a person who was erased after this file was sent"}' else line end order by ordinal)
      from jsonb_array_elements(lines) with ordinality as each (line, ordinal)
    )
    where ${names}
  `.execute(trx)
}

/** Imports with a failed chunk that is being retried. */
export async function countImports(db: Db): Promise<{ retrying: number }> {
  const { retrying } = await db
    .selectFrom('import')
    .select(({ fn }) => fn.countAll<number>().as('retrying'))
    .where('state', '<>', 'completed')
    .where('tries', '>', 0)
    .executeTakeFirstOrThrow()
  return { retrying }
}

/** Hours after which an incomplete upload counts as abandoned. */
const abandonedAfterHours = 1

/** Deletes imports whose upload was interrupted, by the client or by the server. */
export async function deleteAbandonedImports(db: Db): Promise<void> {
  await sql`
    delete from import
    where state = 'uploading' and created_at < now() - make_interval(hours => ${abandonedAfterHours})
  `.execute(db)
}
