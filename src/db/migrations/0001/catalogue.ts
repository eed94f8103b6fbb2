/** What a unit chooses from when it writes a message, and what subjects have opted out of. */
export const catalogue = `
create table category (
  id text primary key,
  name jsonb not null,
  layer text not null check (layer in ('mandatory', 'service', 'promotional')),
  consent_scope text,
  channel_plan jsonb not null,
  approval_rule text not null default 'manual' check (approval_rule in ('manual', 'auto')),
  auto_max_recipients integer not null default 0 check (auto_max_recipients >= 0),
  quiet_hours jsonb,
  frequency_cap jsonb,
  on_unknown text not null default 'keep' check (on_unknown in ('keep', 'repeat')),
  enabled boolean not null default true,
  created_at timestamptz not null default now()
);

create table topic (
  id uuid primary key default uuidv7(),
  unit_id uuid not null references unit,
  name jsonb not null,
  status text not null default 'active' check (status in ('active', 'inactive')),
  created_at timestamptz not null default now()
);
create index topic_unit on topic (unit_id);

create table template (
  id uuid primary key default uuidv7(),
  unit_id uuid not null references unit,
  category_id text not null references category,
  name text not null,
  created_at timestamptz not null default now()
);
create index template_unit on template (unit_id, id);

create table template_version (
  template_id uuid not null references template,
  version integer not null,
  state text not null default 'draft' check (state in ('draft', 'approved', 'rejected')),
  messages jsonb not null,
  subject jsonb,
  variables jsonb not null default '[]',
  created_by text not null,
  created_at timestamptz not null default now(),
  decided_by text,
  decided_at timestamptz,
  reason text,
  primary key (template_id, version)
);

-- enabled false: the person has opted out of the category on this channel; no row: no choice made
create table preference (
  subject_id uuid not null references subject on delete cascade,
  category_id text not null references category,
  channel text not null check (channel in ('chat', 'email')),
  enabled boolean not null,
  primary key (subject_id, category_id, channel)
);

create table topic_unsubscribe (
  subject_id uuid not null references subject on delete cascade,
  topic_id uuid not null references topic,
  at timestamptz not null default now(),
  primary key (subject_id, topic_id)
);
`
