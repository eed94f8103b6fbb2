-- What runs and handoffs say.

-- What a run says at once, from first_node to last_node; or a reply in a handoff, which has no nodes: theirs are empty.
-- says: what it said, rendered: [{node, messages}]. answers_person: it follows what the person said within a minute.
-- The first try is a claim that pays, and stores address and content; a repeat sends the same. by: a reply is free;
-- push and mail are paid, from the two halves, in the ledger of the month. reply_event_id: the event whose reply token
-- it uses.
-- channel page: it is shown on the page on which the person answered, and has neither address nor content.
-- unclear: the provider may have taken an earlier try. refused: the channels that have refused it for certain.
-- failures: how often a reply could not be tried at all.
-- held_ms: for how long a provider or the quota has held it back (ms): pauses and quiet hours do not make it late.
create table turn (
  id uuid primary key default uuidv7(),
  run_id uuid references scenario_run on delete cascade,
  handoff_id uuid references handoff,
  number integer not null,
  first_node text not null,
  last_node text not null,
  subject_id uuid references subject on delete set null,
  unit_id uuid not null references unit,
  state text not null default 'pending' check (state in ('pending', 'sent', 'skipped', 'failed', 'unknown')),
  reason text,
  answers_person boolean not null,
  locale text not null,
  says jsonb,
  channel text check (channel in ('chat', 'email', 'page')),
  address text,
  content jsonb,
  by text check (by in ('reply', 'push', 'mail', 'page')),
  retry_key uuid,
  reply_event_id uuid,
  unclear boolean not null default false,
  refused text[] not null default '{}',
  unit_pushes integer not null default 0,
  pool_pushes integer not null default 0,
  month date,
  tries integer not null default 0,
  failures integer not null default 0,
  held_ms float8 not null default 0,
  first_try_at timestamptz,
  next_try_at timestamptz,
  claimed_by text,
  lease_until timestamptz,
  request_id text,
  created_at timestamptz not null default clock_timestamp(),
  closed_at timestamptz,
  unique (run_id, number),
  unique (handoff_id, number),
  check ((state = 'pending') = (closed_at is null)),
  constraint turn_of check (num_nonnulls(run_id, handoff_id) = 1)
);
create index turn_of_subject on turn (subject_id, id);
create index turn_paid on turn (month, unit_id) where unit_pushes + pool_pushes > 0;
create index turn_pending_reply on turn (handoff_id, number) where state = 'pending' and handoff_id is not null;
create index turn_pushed on turn (subject_id, first_try_at) where by = 'push' and unit_pushes + pool_pushes > 0;

-- Here, because turns and handoffs name each other.
alter table handoff_message add foreign key (turn_id) references turn;
