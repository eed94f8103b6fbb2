-- Units, their members, and what both sign in with.

-- A unit of the institution. An administrative one may use the Identity API.
-- display_name: {zh-TW, en?}, as recipients read it; null: the name. reply_to: where answers to its mails go.
-- sender: in the chat, {name: {zh-TW, en?}, iconUrl}; null: the account itself.
create table unit (
  id uuid primary key default uuidv7(),
  name text not null unique,
  display_name jsonb,
  kind text not null default 'ordinary' check (kind in ('ordinary', 'administrative')),
  time_zone text not null default 'Asia/Taipei',
  reply_to text,
  sender jsonb,
  created_at timestamptz not null default now()
);
create unique index unit_display_name on unit ((display_name ->> 'zh-TW'));

-- A member of staff.
-- subject_uid: the subject who is the same person, for test messages.
-- notices: gets mail about what waits for approval. author_notices: the mails that the person gets about messages they
-- wrote. handoff_notices: gets mail about the handoffs of their units.
-- oidc_issuer, oidc_subject: the account the person signs in with; null until the first sign-in.
create table person (
  id uuid primary key default uuidv7(),
  name text not null,
  email text not null unique,
  system_admin boolean not null default false,
  language text not null default 'zh-TW' check (language in ('zh-TW', 'en')),
  notices boolean not null default true,
  author_notices text[] not null default '{rejected,approved,parked,failed}'
    check (author_notices <@ array['rejected', 'approved', 'parked', 'failed']),
  handoff_notices boolean not null default true,
  subject_uid text,
  oidc_issuer text,
  oidc_subject text,
  created_at timestamptz not null default now(),
  unique (oidc_issuer, oidc_subject),
  check ((oidc_issuer is null) = (oidc_subject is null))
);
-- For erasures and exports.
create index person_subject on person (subject_uid) where subject_uid is not null;

-- A role of a person in a unit.
create table member (
  unit_id uuid not null references unit,
  person_id uuid not null references person,
  role text not null check (role in ('editor', 'approver')),
  primary key (unit_id, person_id, role)
);
create index member_person on member (person_id);

-- A key with which a system of a unit calls the API.
-- categories, dimensions: those it may use; null: no restriction. individual_targeting: may name single recipients.
-- group_writing: may write groups. handoff_reply: may reply in handoffs.
create table producer_key (
  id text primary key,
  unit_id uuid not null references unit,
  name text not null,
  secret_hash bytea not null,
  categories text[],
  dimensions text[],
  individual_targeting boolean not null default false,
  group_writing boolean not null default false,
  handoff_reply boolean not null default false,
  created_at timestamptz not null default now(),
  revoked_at timestamptz
);
create index producer_key_unit on producer_key (unit_id);
