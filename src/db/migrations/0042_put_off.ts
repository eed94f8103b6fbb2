import { type QueryExecutorProvider, sql } from 'kysely'

/**
 * What fails by itself is put off, with its tries (docs/decisions/0028-queues.md), and the runs of a mass start stand in line.
 */
export async function up(db: QueryExecutorProvider): Promise<void> {
  await sql
    .raw(`
-- How often a wave could not be rolled up, a night not be closed, or a reply not be tried, and when it is tried again.
alter table wave add column roll_up_tries integer not null default 0, add column roll_up_at timestamptz;
alter table day_metric add column close_tries integer not null default 0, add column close_at timestamptz;
alter table turn add column failures integer not null default 0;

-- queued_at: since when the run of a mass start stands in line; null: it does not, or not any more.
alter table scenario_run add column queued_at timestamptz;
create index scenario_run_queued on scenario_run (unit_id, queued_at, id) where queued_at is not null;
`)
    .execute(db)
}
