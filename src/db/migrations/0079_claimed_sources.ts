import { type QueryExecutorProvider, sql } from 'kysely'

/**
 * Which units may bind the events of a source (docs/design/events.md). What they have keys for or bind already, they have
 * claimed.
 */
export async function up(db: QueryExecutorProvider): Promise<void> {
  await sql
    .raw(`
set local statement_timeout = 0;
create table event_source_claim (
  source text not null,
  unit_id uuid not null references unit,
  claimed_by text not null,
  claimed_at timestamptz not null default clock_timestamp(),
  primary key (source, unit_id)
);
insert into event_source_claim (source, unit_id, claimed_by)
  select source, unit_id, created_by from event_key, unnest(sources) as source where revoked_at is null
  union all
  select source, unit_id, created_by from event_binding_version join event_binding on id = binding_id
    where state in ('in_force', 'submitted')
  on conflict do nothing;
`)
    .execute(db)
}
