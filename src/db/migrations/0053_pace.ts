import { type QueryExecutorProvider, sql } from 'kysely'

/** A message is sent no faster than its author wants (docs/design/waves-and-claims.md). */
export async function up(db: QueryExecutorProvider): Promise<void> {
  await sql
    .raw(`
-- pace: {"perMinute": n} or {"overSeconds": n}; null: as fast as its channels take it.
alter table message add column pace jsonb;
`)
    .execute(db)
}
