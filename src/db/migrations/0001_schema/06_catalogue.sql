-- The categories and topics that a unit chooses from when it writes a message, and the choices of subjects.

-- A kind of message, with its rules.
-- consent_scope: the consent that its recipients must have given; null: none is needed. auto_max_recipients: the
-- automatic check approves up to so many. on_unknown: whether mail with an unknown outcome is sent once more.
-- hold_seconds: nothing is sent for so long after a person has approved a message.
-- links: where the links of its messages lead: direct, straight to their URL; tracked, through Carillon.
-- acknowledgement: what the chat answers a tap, {zh-TW, en?} with {label}; null: nothing. acknowledgement_by: who wrote
-- it, because only words with a responsible author are sent; null: they are the product's own, or there are none.
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
  hold_seconds integer not null default 0 check (hold_seconds between 0 and 600),
  links text not null default 'direct' check (links in ('direct', 'tracked')),
  acknowledgement jsonb,
  acknowledgement_by text,
  enabled boolean not null default true,
  created_at timestamptz not null default now()
);

-- What people call a value by which audiences are chosen: a unit or class of the institution, or a tag. Not all have a name.
create table value_name (
  dimension text not null check (dimension in ('orgUnits', 'classIds', 'tags')),
  value text not null,
  name jsonb not null,
  primary key (dimension, value)
);

-- A topic of a unit, from which subjects can unsubscribe.
create table topic (
  id uuid primary key default uuidv7(),
  unit_id uuid not null references unit,
  name jsonb not null,
  status text not null default 'active' check (status in ('active', 'inactive')),
  created_at timestamptz not null default now()
);
create index topic_unit on topic (unit_id);

-- A subject's choice about a category on a channel. enabled false: they have opted out; no row: no choice made.
-- changed_at: when the choice was made.
create table preference (
  subject_id uuid not null references subject on delete cascade,
  category_id text not null references category,
  channel text not null check (channel in ('chat', 'email')),
  enabled boolean not null,
  changed_at timestamptz default clock_timestamp(),
  primary key (subject_id, category_id, channel)
);
create index preference_off on preference (changed_at) where not enabled;

-- A topic from which a subject has unsubscribed.
create table topic_unsubscribe (
  subject_id uuid not null references subject on delete cascade,
  topic_id uuid not null references topic,
  at timestamptz not null default now(),
  primary key (subject_id, topic_id)
);
create index topic_unsubscribe_topic on topic_unsubscribe (topic_id, at);
