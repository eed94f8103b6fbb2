-- What people write in a browser before it is a message, a pattern or a template (docs/design/console.md).

-- One piece of writing. kind: what it becomes. title: the first text that is written, '' without one.
-- message_id, template_id, pattern_id: the draft that it changes, the template or pattern that it is a new version of;
-- null: something new.
-- submitted_id: the message, pattern or template that it has become, to which a person who submits it again is led;
-- null while it is being written. form: the fields as they were written, complete or not. version: counts what was
-- saved.
create table composition (
  id uuid primary key default uuidv7(),
  unit_id uuid not null references unit,
  kind text not null check (kind in ('message', 'pattern', 'template')),
  message_id uuid unique references message on delete cascade,
  template_id uuid unique references template on delete cascade,
  pattern_id uuid unique,
  submitted_id uuid,
  title text not null,
  form jsonb not null,
  version integer not null default 1,
  created_by text not null,
  updated_by text not null,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp()
);
create index composition_untouched on composition (updated_at);
-- Lists and bounds read only what is being written.
create index composition_unit on composition (unit_id, id) where submitted_id is null;

-- An actor who wrote in a composition; none of them approves it when another person submits it
-- (docs/design/approvals.md).
-- copied: their words came in with what it was begun from; they have not written in it.
create table composition_author (
  composition_id uuid not null references composition on delete cascade,
  actor text not null,
  copied boolean not null default false,
  primary key (composition_id, actor)
);
