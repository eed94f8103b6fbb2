import { type QueryExecutorProvider, sql } from 'kysely'

/** Counts of patterns and handoffs among the numbers of units (docs/decisions/0093-open-in-patterns.md). */
export async function up(db: QueryExecutorProvider): Promise<void> {
  await sql.raw(completion).execute(db)
}

const completion = `
-- How many people a pattern has invited, and how many went to the end, as they were at counted_at.
create table pattern_metric (
  pattern_id uuid primary key references pattern on delete cascade,
  invited integer not null default 0,
  completed integer not null default 0 check (completed <= invited),
  counted_at timestamptz not null
);
create index handoff_opened on handoff (unit_id, opened_at);
`
