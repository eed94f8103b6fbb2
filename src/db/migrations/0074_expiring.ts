import { type QueryExecutorProvider, sql } from 'kysely'

/** Messages that their time may end, by it: those that are read as expired before their runs have moved them. */
export async function up(db: QueryExecutorProvider): Promise<void> {
  await sql
    .raw(`
set local statement_timeout = 0;
create index message_expiring on message (unit_id, expires_at)
  where state in ('draft', 'submitted', 'approved', 'paused') and expires_at is not null;
`)
    .execute(db)
}
