import { type QueryExecutorProvider, sql } from 'kysely'

/** Runs that people begin stand in line too, before those of mass starts (docs/design/queues-and-fairness.md). */
export async function up(db: QueryExecutorProvider): Promise<void> {
  await sql
    .raw(`
-- queued_mass: the run stands in line with others of its start, behind those that began alone.
alter table scenario_run add column queued_mass boolean not null default false;
drop index scenario_run_queued;
create index scenario_run_queued on scenario_run (unit_id, queued_mass, queued_at, id) where queued_at is not null;
`)
    .execute(db)
}
