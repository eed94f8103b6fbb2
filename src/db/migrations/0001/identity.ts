/** What goes with people besides themselves: the history of their consents, bulk imports, erasures. */
export const identity = `
-- every consent that was ever given or withdrawn; consent holds the one that stands
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

-- unit_id null: made on the command line. ref: acquisition of those who are named for the first time.
create table import (
  id uuid primary key default uuidv7(),
  unit_id uuid references unit,
  actor text not null,
  format text not null check (format in ('csv', 'ndjson')),
  ref text,
  state text not null default 'receiving' check (state in ('receiving', 'waiting', 'working', 'done')),
  lines integer not null default 0,
  done integer not null default 0,
  written integer not null default 0,
  refused integer not null default 0,
  created_at timestamptz not null default now(),
  finished_at timestamptz
);
create index import_unit on import (unit_id, id);
create index import_open on import (id) where state <> 'done';

-- Lines as they came, [{line, record}]; a chunk is gone in the transaction that has written it.
create table import_chunk (
  import_id uuid not null references import on delete cascade,
  number integer not null,
  lines jsonb not null,
  primary key (import_id, number)
);

-- why a line was refused; never what stood in it
create table import_refusal (
  import_id uuid not null references import on delete cascade,
  line integer not null,
  field text,
  reason text not null,
  primary key (import_id, line)
);

-- Somebody who is gone, until their address is out of the last provider call and their name out of the last message.
-- No foreign key: the id names nobody any more.
create table erasure (
  subject_id uuid primary key,
  message_ids uuid[] not null,
  at timestamptz not null default now(),
  next_try_at timestamptz not null default now()
);
create index erasure_due on erasure (next_try_at);

-- messages that name people one by one, by whom they name
create index message_uids on message using gin ((audience -> 'uids')) where audience ->> 'kind' = 'individual';
`
