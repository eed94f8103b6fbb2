import { type QueryExecutorProvider, sql } from 'kysely'

/**
 * What deleted bindings of a unit made last, by source and type: a new one is judged by it (docs/design/events.md). The
 * index finds the same of those that are there.
 */
export async function up(db: QueryExecutorProvider): Promise<void> {
  await sql
    .raw(`
set local statement_timeout = 0;
create table event_binding_former (
  unit_id uuid not null references unit,
  source text not null,
  type text not null,
  category_id text not null,
  template_id uuid,
  scenario_id uuid,
  run_per text,
  audience jsonb not null,
  key_ids text[],
  took_effect_at timestamptz not null,
  primary key (unit_id, source, type)
);
create index event_binding_version_made on event_binding_version (source, type, took_effect_at)
  where took_effect_at is not null and enabled;
`)
    .execute(db)
}
