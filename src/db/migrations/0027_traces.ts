import { type QueryExecutorProvider, sql } from 'kysely'

/**
 * The span that a row stands in, as W3C Trace Context writes it: its run, and what wakes it, belong to that trace
 * (docs/decisions/0099-traces.md).
 */
export async function up(db: QueryExecutorProvider): Promise<void> {
  await sql
    .raw(`
alter table message add column traceparent text check (traceparent ~ '^[0-9a-f]{2}(-[0-9a-f]+){3}$');
alter table scenario_run add column traceparent text check (traceparent ~ '^[0-9a-f]{2}(-[0-9a-f]+){3}$');
`)
    .execute(db)
}
