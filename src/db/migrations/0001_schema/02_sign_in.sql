-- Sign-ins of staff to the console.

-- An attempt while the browser is at the identity provider. It is redeemed once, and only by the browser that started
-- it; state and browser are stored as hashes.
create table sign_in (
  state_hash bytea primary key,
  browser_hash bytea not null,
  nonce text not null,
  verifier text not null,
  return_to text not null,
  expires_at timestamptz not null
);
create index sign_in_expires on sign_in (expires_at);

-- A person who is signed in.
-- idle_minutes: the session ends after so long without a request; null: no such limit (sessions opened on the command
-- line). seen_at is written at most once a minute.
create table session (
  id uuid primary key default uuidv7(),
  token_hash bytea not null unique,
  person_id uuid not null references person,
  idle_minutes integer check (idle_minutes > 0),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  seen_at timestamptz not null default now(),
  ended_at timestamptz
);
create index session_person on session (person_id);
