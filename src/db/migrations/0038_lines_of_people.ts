import { type QueryExecutorProvider, sql } from 'kysely'

/** An erasure finds the lines of imports about a person that are not written yet (docs/decisions/0018-identity.md). */
export async function up(db: QueryExecutorProvider): Promise<void> {
  await sql
    .raw('create index import_chunk_lines on import_chunk using gin (lines jsonb_path_ops)')
    .execute(db)
}
