-- The people to whom messages go. All units share them.

-- A recipient. moved_at: when stage or tags changed last.
create table subject (
  id uuid primary key default uuidv7(),
  uid text not null unique,
  stage text not null default 'visitor' check (stage in ('visitor', 'lead', 'member', 'alumni')),
  locale text not null default 'zh-TW' check (locale in ('zh-TW', 'en')),
  display_name text,
  roles text[] not null default '{}',
  org_units text[] not null default '{}',
  class_ids text[] not null default '{}',
  tags text[] not null default '{}',
  attributes jsonb not null default '{}',
  acquisition_source text,
  acquisition_ref text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  moved_at timestamptz default now()
);
create index subject_roles on subject using gin (roles);
create index subject_org_units on subject using gin (org_units);
create index subject_class_ids on subject using gin (class_ids);
create index subject_tags on subject using gin (tags);
create index subject_stage on subject (stage);

-- The current consent of a subject in a scope.
create table consent (
  subject_id uuid not null references subject on delete cascade,
  scope text not null,
  version text not null,
  source text not null,
  granted_at timestamptz not null default now(),
  withdrawn_at timestamptz,
  primary key (subject_id, scope)
);

-- Every consent that was ever granted or withdrawn.
create table consent_history (
  id bigint generated always as identity primary key,
  subject_id uuid not null references subject on delete cascade,
  scope text not null,
  version text not null,
  source text not null,
  what text not null check (what in ('granted', 'withdrawn')),
  at timestamptz not null default now()
);
create index consent_history_subject on consent_history (subject_id, id);

-- An erased subject, until their address is cleared from the last provider call and their name from the last message.
-- No foreign key: the subject no longer exists. message_ids: messages that had no other recipient.
create table erasure (
  subject_id uuid primary key,
  message_ids uuid[] not null,
  at timestamptz not null default now(),
  tries integer not null default 0,
  next_try_at timestamptz not null default now()
);
create index erasure_due on erasure (next_try_at);
create index erasure_retrying on erasure (subject_id) where tries > 0;
