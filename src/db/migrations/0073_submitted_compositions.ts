import { type QueryExecutorProvider, sql } from 'kysely'

/**
 * What became of what was written in a browser, so that whoever presses again is led to it (docs/design/console.md). Lists
 * and bounds read what is being written alone.
 */
export async function up(db: QueryExecutorProvider): Promise<void> {
  await sql
    .raw(`
-- submitted_id: the message, pattern or template that it became; null while it is being written.
alter table composition add column submitted_id uuid;
drop index composition_unit;
create index composition_unit on composition (unit_id, id) where submitted_id is null;
`)
    .execute(db)
}
