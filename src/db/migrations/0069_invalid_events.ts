import { type QueryExecutorProvider, sql } from 'kysely'

/**
 * Signed events that are invalid are recorded too, without their data (docs/design/events.md). unnamed: it has no id that
 * can be read; event_id is then the digest of its signature.
 */
export async function up(db: QueryExecutorProvider): Promise<void> {
  await sql
    .raw(`
set local statement_timeout = 0;
alter table event add column unnamed boolean not null default false,
  alter column type drop not null, alter column occurred_at drop not null,
  drop constraint event_error_check,
  add constraint event_error_check check (error in ('no_subjects', 'no_binding', 'no_template', 'no_scenario',
    'missing_variable', 'content_violation', 'too_many_runs', 'too_many_people', 'invalid_event', 'internal')),
  add constraint event_readable check (error is not distinct from 'invalid_event'
    or (type is not null and occurred_at is not null and not unnamed));
`)
    .execute(db)
}
