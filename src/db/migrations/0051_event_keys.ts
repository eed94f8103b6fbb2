import { type QueryExecutorProvider, sql } from 'kysely'

/**
 * Signing keys of events that a system administrator issues: each is of one unit and may sign events of its sources
 * alone. secret: sealed with SECRETS_KEY (an HMAC needs the secret itself). event_unbound: the events of a source that
 * made nothing, whatever their type.
 */
export async function up(db: QueryExecutorProvider): Promise<void> {
  await sql
    .raw(`
set local statement_timeout = 0;
create table event_key (
  id text primary key,
  unit_id uuid not null references unit,
  name text not null,
  sources text[] not null check (cardinality(sources) > 0),
  secret bytea not null,
  created_by text not null,
  created_at timestamptz not null default clock_timestamp(),
  revoked_at timestamptz
);
create index event_key_unit on event_key (unit_id);
create index event_key_sources on event_key using gin (sources);
create index event_unbound on event (source, id) where unit_id is null;
`)
    .execute(db)
}
