import { type QueryExecutorProvider, sql } from 'kysely'

/** Who has a place in a pattern can add it to their calendar (docs/design/links.md). That of a message is in its request. */
export async function up(db: QueryExecutorProvider): Promise<void> {
  await sql
    .raw(`
-- calendar: {start, end?, title?, place?} as it was given; null: none.
alter table pattern add column calendar jsonb;
`)
    .execute(db)
}
