/** Consent history, bulk imports, erasures. */
export const identity = `
-- every consent ever granted or withdrawn; the table consent holds the current one
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

-- unit_id null: created on the command line. ref: acquisition reference of subjects that have no acquisition yet.
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
  tries integer not null default 0,
  next_try_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  finished_at timestamptz
);
create index import_unit on import (unit_id, id);
create index import_open on import (id) where state <> 'done';

-- Lines as received, [{line, record}]; the transaction that writes a chunk's people deletes the chunk.
create table import_chunk (
  import_id uuid not null references import on delete cascade,
  number integer not null,
  lines jsonb not null,
  primary key (import_id, number)
);

-- why a line was refused; never its content
create table import_refusal (
  import_id uuid not null references import on delete cascade,
  line integer not null,
  field text,
  reason text not null,
  primary key (import_id, line)
);

-- An erased subject, until their address is cleared from the last provider call and their name from the last message.
-- No foreign key: the subject no longer exists.
create table erasure (
  subject_id uuid primary key,
  message_ids uuid[] not null,
  at timestamptz not null default now(),
  tries integer not null default 0,
  next_try_at timestamptz not null default now()
);
create index erasure_due on erasure (next_try_at);
create index erasure_retrying on erasure (subject_id) where tries > 0;

-- individual messages, by the uids they name
create index message_uids on message using gin ((audience -> 'uids')) where audience ->> 'kind' = 'individual';
`
