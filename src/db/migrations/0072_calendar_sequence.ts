import { type QueryExecutorProvider, sql } from 'kysely'

/**
 * How often where a person stands in a pattern has changed: the sequence of their calendar entry. Entries from before had
 * 0, and 1 once they were cancelled.
 */
export async function up(db: QueryExecutorProvider): Promise<void> {
  await sql
    .raw(`
alter table registration add column changes integer not null default 2;
alter table registration alter column changes set default 0;
`)
    .execute(db)
}
