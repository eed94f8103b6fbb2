import { sql } from 'kysely'
import type { Db } from '../connect.ts'

/** A row as it is stored, by its columns. */
export type RecordRow = Record<string, unknown>

/**
 * Every row that belongs to a person, by table: whatever refers to subjects in the schema is found there, so that no
 * table can be forgotten.
 */
export async function recordsOf(db: Db, subjectId: string): Promise<Record<string, RecordRow[]>> {
  const records: Record<string, RecordRow[]> = {}
  for (const { table, column } of await tablesOfSubjects(db)) {
    const { rows } = await sql<{ row: RecordRow }>`
      select to_jsonb(held) as row from ${sql.table(table)} as held where ${sql.ref(`held.${column}`)} = ${subjectId}
    `.execute(db)
    records[table] = rows.map(({ row }) => row)
  }
  return records
}

/** Tables with a foreign key to subjects, and the column it stands on. */
async function tablesOfSubjects(db: Db): Promise<{ table: string; column: string }[]> {
  const { rows } = await sql<{ table: string; column: string }>`
    select referring.relname as "table", attname as "column"
    from pg_constraint
      join pg_class referring on referring.oid = conrelid
      join pg_attribute on attrelid = conrelid and attnum = conkey[1]
    where confrelid = 'subject'::regclass and contype = 'f' and conparentid = 0
    order by referring.relname
  `.execute(db)
  return rows
}

/** Events that named a person, and messages that named them one by one. */
export async function namedIn(db: Db, uid: string): Promise<Record<string, RecordRow[]>> {
  const events = await sql<{ row: RecordRow }>`
    select to_jsonb(named) as row from (
      select source, event_id, type, occurred_at, received_at, message_id,
        case when cardinality(subject_uids) = 1 then data end as data
      from event where ${uid} = any(subject_uids)
    ) as named
  `.execute(db)
  const messages = await sql<{ row: RecordRow }>`
    select to_jsonb(named) as row from (
      select message.id, unit_id, category_id, title, frozen
      from message join message_content on message_id = message.id
      where audience ->> 'kind' = 'individual' and audience -> 'uids' ? ${uid}
    ) as named
  `.execute(db)
  return {
    event: events.rows.map(({ row }) => row),
    message: messages.rows.map(({ row }) => row),
  }
}
