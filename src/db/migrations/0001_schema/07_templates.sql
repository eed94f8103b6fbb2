-- Templates of messages.

-- A template. variable_names: of the variables of all its versions; creating a message asks for them
-- (docs/design/templates.md).
create table template (
  id uuid primary key default uuidv7(),
  unit_id uuid not null references unit,
  category_id text not null references category,
  name text not null,
  variable_names text[] not null default '{}',
  created_at timestamptz not null default now()
);
create index template_unit on template (unit_id, id);

-- A version of a template. authors: who wrote it beside created_by.
create table template_version (
  template_id uuid not null references template,
  version integer not null,
  state text not null default 'draft' check (state in ('draft', 'approved', 'rejected')),
  messages jsonb not null,
  subject jsonb,
  variables jsonb not null default '[]',
  created_by text not null,
  authors text[] not null default '{}',
  created_at timestamptz not null default now(),
  decided_by text,
  decided_at timestamptz,
  reason text,
  primary key (template_id, version)
);
-- Those that wait for an approver, without all the others.
create index template_version_draft on template_version (template_id, version) where state = 'draft';
