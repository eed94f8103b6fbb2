import { type QueryExecutorProvider, sql } from 'kysely'

/**
 * The same as in 0059 for what is found by its key and something else: runs of a scenario, occurrences of a schedule, and what
 * was said in a handoff. The open handoffs of a unit are found without those that are closed. While
 * a table is empty, of indexes that cost the same Postgres takes the newest: an occurrence is looked for by its key.
 */
export async function up(db: QueryExecutorProvider): Promise<void> {
  await sql
    .raw(`
set local statement_timeout = 0;
alter table scenario_run alter column scenario_id set statistics 0;
alter table occurrence alter column schedule_id set statistics 0;
alter table handoff_message alter column handoff_id set statistics 0;

select pg_clear_attribute_stats('public', relname, attname, false)
from (values ('scenario_run', 'scenario_id'), ('occurrence', 'schedule_id'), ('handoff_message', 'handoff_id')) as key (relname, attname);

alter table occurrence drop constraint occurrence_schedule_id_key_key,
  add constraint occurrence_schedule_id_key_key unique (schedule_id, key);
create index handoff_open_of_unit on handoff (unit_id) where closed_at is null;
`)
    .execute(db)
}
