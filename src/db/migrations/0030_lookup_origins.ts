import { type QueryExecutorProvider, sql } from 'kysely'

/**
 * Lookups name their origin, so that the limits of an origin hold across all workers
 * (docs/decisions/0105-promises-of-conversations.md). Null: begun before.
 */
export async function up(db: QueryExecutorProvider): Promise<void> {
  await sql
    .raw(`
alter table lookup add column origin text;
create index lookup_of_origin on lookup (origin, started_at);
`)
    .execute(db)
}
