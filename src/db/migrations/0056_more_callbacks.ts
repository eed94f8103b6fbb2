import { type QueryExecutorProvider, sql } from 'kysely'

/** Callbacks about failures, registrations, handoffs, imports and people (docs/design/callbacks-and-lookups.md). */
export async function up(db: QueryExecutorProvider): Promise<void> {
  await sql
    .raw(`
set local statement_timeout = 0;
-- object_id: the handoff, import or person that it is about, if it is about neither a message nor a run.
alter table callback_delivery add column object_id uuid,
  drop constraint callback_delivery_about,
  add constraint callback_delivery_about check (num_nonnulls(message_id, run_id, object_id) = 1),
  alter column sequence set expression as (
    case type when 'message.answered' then subject_id::text when 'message.answers' then 'answers'
      when 'delivery.failed' then 'failures' when 'registration.changed' then 'registration' else 'changes' end
  );
drop index callback_delivery_order;
create index callback_delivery_order
  on callback_delivery (callback_id, coalesce(message_id, run_id, object_id), sequence, id) where outcome = 'waiting';
create unique index callback_delivery_failures on callback_delivery (callback_id, message_id)
  where type = 'delivery.failed' and outcome = 'waiting' and tries = 0 and not data ? 'full';
`)
    .execute(db)
}
