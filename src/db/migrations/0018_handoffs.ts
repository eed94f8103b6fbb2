import { type QueryExecutorProvider, sql } from 'kysely'

/**
 * Handoffs: conversations that people of a unit take over (docs/decisions/0081-handoffs.md). A reply is a turn without a
 * run.
 */
export async function up(db: QueryExecutorProvider): Promise<void> {
  for (const statements of [handoffs, replies, neighbours]) await sql.raw(statements).execute(db)
}

const handoffs = `
-- Opened by the node of a run, or by the assistant, which names its conversation and the person's chat address. test: of a
-- test run. spoken_at: when either side said something last. end_reason: why it is closed; closed_by: the actor.
create table handoff (
  id uuid primary key default uuidv7(),
  unit_id uuid not null references unit,
  subject_id uuid references subject on delete set null,
  run_id uuid references scenario_run,
  node text,
  conversation_id text,
  channel_user text,
  test boolean not null default false,
  opened_at timestamptz not null default clock_timestamp(),
  spoken_at timestamptz not null default clock_timestamp(),
  closed_at timestamptz,
  closed_by text,
  end_reason text check (end_reason in ('closed', 'assistant', 'silence', 'timeout', 'run_ended', 'erased')),
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

-- What was said, in order. webhook_event_id: of what the person said; text null: it was no text. turn_id: of what the unit
-- replied, with its actor; body_hash: of the request under this key.
create table handoff_message (
  id uuid primary key default uuidv7(),
  handoff_id uuid not null references handoff on delete cascade,
  text text,
  webhook_event_id uuid unique,
  turn_id uuid unique references turn,
  actor text,
  idempotency_key text,
  body_hash bytea,
  at timestamptz not null default clock_timestamp(),
  unique (handoff_id, idempotency_key),
  constraint handoff_message_side check (num_nonnulls(webhook_event_id, turn_id) = 1),
  constraint handoff_message_reply check (num_nonnulls(turn_id, actor, body_hash) in (0, 3))
);
create index handoff_message_of_handoff on handoff_message (handoff_id, id);

-- Mails to the people of the unit when a handoff opens.
create table handoff_notice (
  id uuid primary key default uuidv7(),
  handoff_id uuid not null references handoff on delete cascade,
  person_id uuid not null references person on delete cascade,
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'failed', 'obsolete')),
  tries integer not null default 0,
  next_try_at timestamptz not null default clock_timestamp(),
  code text,
  created_at timestamptz not null default clock_timestamp(),
  unique (handoff_id, person_id)
);
create index handoff_notice_due on handoff_notice (next_try_at) where state = 'waiting';
create index handoff_notice_failed on handoff_notice (id) where state = 'failed';
`

const replies = `
-- A turn is said by a run, or replies in a handoff; a reply has no nodes, so that theirs are empty.
alter table turn alter column run_id drop not null,
  add column handoff_id uuid references handoff,
  add constraint turn_of check (num_nonnulls(run_id, handoff_id) = 1),
  add unique (handoff_id, number);
create index turn_pending_reply on turn (id) where state = 'pending' and handoff_id is not null;
`

const neighbours = `
-- The assistant sends events as channels do; their address is a chat address.
alter table webhook_event drop constraint webhook_event_channel_check,
  add constraint webhook_event_channel_check check (channel in ('chat', 'email', 'avatar'));
`
