import { type QueryExecutorProvider, sql } from 'kysely'

/** What people write in a browser before it is a message, a pattern or a template (docs/design/console.md). */
export async function up(db: QueryExecutorProvider): Promise<void> {
  await sql
    .raw(`
-- kind: what it becomes. title: the first text that is written, '' without one. form: the fields as they were written, complete or not.
-- message_id, template_id: the draft that it changes, the template that it is a new version of; null: something new.
create table composition (
  id uuid primary key default uuidv7(),
  unit_id uuid not null references unit,
  kind text not null check (kind in ('message', 'pattern', 'template')),
  message_id uuid unique references message on delete cascade,
  template_id uuid unique references template on delete cascade,
  title text not null,
  form jsonb not null,
  version integer not null default 1,
  created_by text not null,
  updated_by text not null,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp()
);
create index composition_unit on composition (unit_id, id);
create index composition_untouched on composition (updated_at);
`)
    .execute(db)
}
