import { type QueryExecutorProvider, sql } from 'kysely'

/** Runs that cannot be replayed (docs/decisions/0042-temporal.md). */
export async function up(db: QueryExecutorProvider): Promise<void> {
  await sql.raw(wedgedRuns).execute(db)
}

const wedgedRuns = `
-- wedged_failures: failed workflow tasks since wedged_at. run_restarted_at: the reconciler last ended the wedged run.
alter table message
  add column wedged_failures integer not null default 0,
  add column run_restarted_at timestamptz;
create index message_run_restarted on message (run_restarted_at) where run_restarted_at is not null;
`
