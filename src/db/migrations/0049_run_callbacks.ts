import { type QueryExecutorProvider, sql } from 'kysely'

/**
 * Callbacks about runs of scenarios: a delivery is about a message or a run, and those of one of them with the same sequence
 * arrive in order. scenario_answer.data: the producer's own data of the button that was pressed.
 */
export async function up(db: QueryExecutorProvider): Promise<void> {
  await sql
    .raw(`
set local statement_timeout = 0;
alter table scenario_answer add column data jsonb;
alter table callback_delivery alter column message_id drop not null, alter column state drop not null,
  alter column version drop not null,
  add column run_id uuid references scenario_run on delete cascade,
  add constraint callback_delivery_about check (num_nonnulls(message_id, run_id) = 1);
create index callback_delivery_run on callback_delivery (run_id) where run_id is not null;
drop index callback_delivery_order;
create index callback_delivery_order on callback_delivery (callback_id, coalesce(message_id, run_id), sequence, id)
  where outcome = 'waiting';
`)
    .execute(db)
}
