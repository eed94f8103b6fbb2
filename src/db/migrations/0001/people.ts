/** Units and their members, credentials, and the subjects, which all units share. */
export const people = `
create table unit (
  id uuid primary key default uuidv7(),
  name text not null unique,
  kind text not null default 'ordinary' check (kind in ('ordinary', 'administrative')),
  time_zone text not null default 'Asia/Taipei',
  created_at timestamptz not null default now()
);

-- subject_uid: the subject who is the same person, for test messages; notices: gets mail about messages to approve.
-- oidc_issuer, oidc_subject: the account the person signs in with; null until the first sign-in.
create table person (
  id uuid primary key default uuidv7(),
  name text not null,
  email text not null unique,
  system_admin boolean not null default false,
  language text not null default 'zh-TW' check (language in ('zh-TW', 'en')),
  notices boolean not null default true,
  subject_uid text,
  oidc_issuer text,
  oidc_subject text,
  created_at timestamptz not null default now(),
  unique (oidc_issuer, oidc_subject),
  check ((oidc_issuer is null) = (oidc_subject is null))
);

create table member (
  unit_id uuid not null references unit,
  person_id uuid not null references person,
  role text not null check (role in ('editor', 'approver')),
  primary key (unit_id, person_id, role)
);
create index member_person on member (person_id);

-- null in categories or dimensions: no restriction
create table producer_key (
  id text primary key,
  unit_id uuid not null references unit,
  name text not null,
  secret_hash bytea not null,
  categories text[],
  dimensions text[],
  individual_targeting boolean not null default false,
  created_at timestamptz not null default now(),
  revoked_at timestamptz
);
create index producer_key_unit on producer_key (unit_id);

-- idle_minutes: idle timeout; null: none (sessions opened on the command line).
-- seen_at is written at most once a minute.
create table session (
  id uuid primary key default uuidv7(),
  token_hash bytea not null unique,
  person_id uuid not null references person,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  idle_minutes integer check (idle_minutes > 0),
  seen_at timestamptz not null default now(),
  ended_at timestamptz
);
create index session_person on session (person_id);

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
  updated_at timestamptz not null default now()
);
create index subject_roles on subject using gin (roles);
create index subject_org_units on subject using gin (org_units);
create index subject_class_ids on subject using gin (class_ids);
create index subject_tags on subject using gin (tags);
create index subject_stage on subject (stage);

-- blocked_at: the person blocked the account; suppressed_at: mail bounced or drew a complaint
create table address (
  subject_id uuid not null references subject on delete cascade,
  channel text not null check (channel in ('chat', 'email')),
  address text not null,
  blocked_at timestamptz,
  suppressed_at timestamptz,
  bound_at timestamptz not null default now(),
  primary key (subject_id, channel),
  unique (channel, address)
);

create table consent (
  subject_id uuid not null references subject on delete cascade,
  scope text not null,
  version text not null,
  source text not null,
  granted_at timestamptz not null default now(),
  withdrawn_at timestamptz,
  primary key (subject_id, scope)
);
`
