-- Handoffs: conversations that people of a unit take over (docs/design/handoffs.md).

-- A handoff. It is opened by the node of a run, or by the assistant, which names its conversation and the person's chat
-- address (channel_user). channel_user_hash: of a handoff that was opened while no subject had the address.
-- subject_id null: no subject has the address yet, or the person was erased. test: of a test run.
-- spoken_at: when either side said something last. end_reason: why it is closed; closed_by: the actor.
create table handoff (
  id uuid primary key default uuidv7(),
  unit_id uuid not null references unit,
  subject_id uuid references subject on delete set null,
  run_id uuid references scenario_run,
  node text,
  conversation_id text,
  channel_user text,
  channel_user_hash bytea,
  test boolean not null default false,
  opened_at timestamptz not null default clock_timestamp(),
  spoken_at timestamptz not null default clock_timestamp(),
  closed_at timestamptz,
  closed_by text,
  end_reason text check (end_reason in ('closed', 'assistant', 'silence', 'timeout', 'run_ended', 'unbound', 'erased')),
  purged_at timestamptz,
  unique (run_id, node),
  constraint handoff_node check ((run_id is null) = (node is null)),
  constraint handoff_end check (num_nulls(closed_at, closed_by, end_reason) in (0, 3))
);
create unique index handoff_open_conversation on handoff (conversation_id) where closed_at is null;
create index handoff_of_unit on handoff (unit_id, id);
create index handoff_of_subject on handoff (subject_id);
create index handoff_of_channel_user on handoff (channel_user) where channel_user is not null;
create index handoff_open on handoff (spoken_at) where closed_at is null;
create index handoff_closed on handoff (closed_at) where closed_at is not null and purged_at is null;
create index handoff_opened on handoff (unit_id, opened_at);
-- An erasure finds the handoffs at an address while no subject had it.
create index handoff_of_stranger on handoff (channel_user_hash) where subject_id is null;
-- The open handoffs of a unit, without those that are closed.
create index handoff_open_of_unit on handoff (unit_id) where closed_at is null;

-- What was said in a handoff, in order. webhook_event_id: of what the person said; text null: it was no text.
-- turn_id: of what the unit replied, with its actor; body_hash: of the request under this key. words: of a reply by a
-- key, the digest of its words as people compare them: the same words to many people are a message
-- (docs/design/approvals.md).
create table handoff_message (
  id uuid primary key default uuidv7(),
  handoff_id uuid not null references handoff on delete cascade,
  text text,
  webhook_event_id uuid unique,
  turn_id uuid unique,
  actor text,
  idempotency_key text,
  body_hash bytea,
  words bytea,
  at timestamptz not null default clock_timestamp(),
  unique (handoff_id, idempotency_key),
  constraint handoff_message_side check (num_nonnulls(webhook_event_id, turn_id) = 1),
  constraint handoff_message_reply check (num_nonnulls(turn_id, actor, body_hash) in (0, 3))
);
-- As of deliveries: no plan may depend on which handoffs were sampled (docs/design/speed.md, "Plans and keys").
alter table handoff_message alter column handoff_id set statistics 0;
create index handoff_message_of_handoff on handoff_message (handoff_id, id);
create index handoff_message_words on handoff_message (words, at) where words is not null;
