import { type QueryExecutorProvider, sql } from 'kysely'

/** What the metrics read (docs/decisions/0058-metrics.md). */
export async function up(db: QueryExecutorProvider): Promise<void> {
  await sql.raw(metrics).execute(db)
}

const metrics = `
-- due_at: when the wave could send; set when it starts and when it is resumed. Null for waves of before.
alter table wave add column due_at timestamptz;
create index message_awaiting_approval on message (snapshot_at) where state = 'submitted';
`
