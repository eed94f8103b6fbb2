-- Bulk imports of subjects.

-- One import. unit_id null: created on the command line. ref: acquisition reference of subjects that have no
-- acquisition yet. processed: lines that are written or rejected. tries: of the next chunk.
create table import (
  id uuid primary key default uuidv7(),
  unit_id uuid references unit,
  actor text not null,
  format text not null check (format in ('csv', 'ndjson')),
  ref text,
  state text not null default 'uploading'
    check (state in ('uploading', 'queued', 'processing', 'completed')),
  lines integer not null default 0,
  processed integer not null default 0,
  written integer not null default 0,
  rejected integer not null default 0,
  tries integer not null default 0,
  next_try_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  finished_at timestamptz
);
create index import_unit on import (unit_id, id);
create index import_open on import (id) where state <> 'completed';
create index import_next on import (processed, id) where state in ('queued', 'processing');

-- Lines as received, [{line, record}]; the transaction that writes the people of a chunk deletes the chunk.
create table import_chunk (
  import_id uuid not null references import on delete cascade,
  number integer not null,
  lines jsonb not null,
  primary key (import_id, number)
);
-- An erasure finds lines about a person that are not written yet.
create index import_chunk_lines on import_chunk using gin (lines jsonb_path_ops);

-- Why a line was rejected; never its content.
create table import_refusal (
  import_id uuid not null references import on delete cascade,
  line integer not null,
  field text,
  reason text not null,
  primary key (import_id, line)
);
