import { type QueryExecutorProvider, sql } from 'kysely'

/**
 * A run that is over holds up no line: only open runs that wait for their next step are counted, from an index of their
 * own, and what ended in line leaves it. When the line of a unit last moved is known (docs/design/queues-and-fairness.md);
 * unlogged, as other figures of the last minutes.
 */
export async function up(db: QueryExecutorProvider): Promise<void> {
  await sql
    .raw(`
create unlogged table start_line (
  unit_id uuid primary key,
  moved_at timestamptz not null
);
update scenario_run set queued_at = null, observed_version = version where queued_at is not null and closed_at is not null;
create index scenario_run_beginning on scenario_run (unit_id, wake_count)
  where observed_version < version and queued_at is null and closed_at is null;
`)
    .execute(db)
}
