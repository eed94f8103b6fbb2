-- Lookups: questions of runs to systems of the institution (docs/design/callbacks-and-lookups.md).

-- An origin to which Lookups may go. unit_id: for its scenarios alone; null: for all. key_id: of the signing key; null:
-- the first one. send_uid: a system administrator trusts it with the uids of people: it gets them beside the subject
-- id.
create table lookup_endpoint (
  id uuid primary key default uuidv7(),
  origin text not null,
  unit_id uuid references unit,
  key_id text,
  send_uid boolean not null default false,
  created_by text not null,
  created_at timestamptz not null default clock_timestamp(),
  unique nulls not distinct (origin, unit_id)
);

-- A Lookup of a run. Stored before the call, which is never made twice. origin: by which the limits of an origin hold
-- across all workers. outcome null: under way, or lost with its worker. dropped: how many fields of the answer became
-- null; refused: which, and why, [{field, reason}]; null: none.
create table lookup (
  run_id uuid not null references scenario_run on delete cascade,
  node text not null,
  origin text,
  started_at timestamptz not null default clock_timestamp(),
  ended_at timestamptz,
  outcome text check (outcome in ('found', 'timeout', 'status', 'shape', 'size', 'network')),
  dropped integer not null default 0,
  refused jsonb,
  primary key (run_id, node),
  check ((outcome is null) = (ended_at is null))
);
create index lookup_of_origin on lookup (origin, started_at);

-- A Lookup that waits for a turn at its origin, which its units take by turns, each in the order of since. back_at:
-- when the run asks again.
create table lookup_wait (
  run_id uuid not null references scenario_run on delete cascade,
  node text not null,
  unit_id uuid not null,
  origin text not null,
  since timestamptz not null default clock_timestamp(),
  back_at timestamptz not null,
  primary key (run_id, node)
);
create index lookup_wait_of_origin on lookup_wait (origin, since);
