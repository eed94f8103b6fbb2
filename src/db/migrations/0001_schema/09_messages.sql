-- Messages, their content, their authors, and their audience at the snapshot.

-- A message of a unit: the intent to send a content to an audience.
-- body_hash: of the request under this idempotency key. reference: the producer's own.
-- paused_from: the state in which it was paused. kind personal: only its authors and approvers may see its text.
-- channel_plan: the plan in force, the category's narrowed by plan_override.
-- remind_to: the recipients of the reminder. pace: {"perMinute": n} or {"overSeconds": n}; null: as fast as its
-- channels take it. hold_until: nothing is sent before, since a person approved it and its category holds it.
-- submitted_by: the actor who submitted it, and may read who answered what; null: not yet.
-- snapshot: the forecast of its recipients when it was submitted. review_reason: why the automatic check left it to a
-- person. review_drift: it returned to review because its audience changed; drift: what changed the last time.
-- purged_at: when its texts and named recipients were deleted; its states and counts stay.
-- traceparent: the span of the call that made it, or moved it last in another trace, as in W3C Trace Context; null:
-- nothing was recorded.
-- From closed_at on: the columns of every run (docs/design/rows-and-runs.md), by which messages, runs of scenarios and
-- schedules are woken. version counts changes of the row that the run must observe; observed_version: the last one it
-- observed. changed_at: when version changed. next_wakeup_at: when the run must act next; null while it waits for a
-- person.
-- woken_at, wake_count: the last wake since the run observed the row, and how many. wedged_at: since when the code of
-- the run fails; wedged_failures: failed workflow tasks since then. run_restarted_at: when the reconciler last ended
-- the wedged run. step_failures: failures of its steps since the last one that succeeded; step_parked_at: since when
-- the run waits because its step kept failing. problem: why it cannot continue.
create table message (
  id uuid primary key default uuidv7(),
  unit_id uuid not null references unit,
  idempotency_key text,
  body_hash bytea,
  reference text,
  category_id text not null references category,
  topic_id uuid references topic,
  template_id uuid references template,
  template_version integer,
  state text not null default 'draft' check (state in ('draft', 'submitted', 'rejected', 'approved', 'sending',
    'sent', 'failed', 'paused', 'cancelled', 'stopped', 'expired')),
  paused_from text check (paused_from in ('approved', 'sending')),
  kind text not null default 'broadcast' check (kind in ('broadcast', 'personal')),
  origin text not null check (origin in ('api', 'console', 'event', 'schedule')),
  title jsonb not null,
  audience jsonb not null,
  channel_plan jsonb not null,
  plan_override jsonb,
  schedule_at timestamptz,
  expires_at timestamptz,
  remind_at timestamptz,
  remind_to text not null default 'all' check (remind_to in ('all', 'unanswered')),
  pace jsonb,
  snapshot jsonb,
  snapshot_at timestamptz,
  review_reason text,
  review_drift boolean not null default false,
  drift jsonb,
  created_by text not null,
  created_at timestamptz not null default now(),
  submitted_at timestamptz,
  submitted_by text,
  hold_until timestamptz,
  purged_at timestamptz,
  traceparent text check (traceparent ~ '^[0-9a-f]{2}(-[0-9a-f]+){3}$'),
  closed_at timestamptz,
  version integer not null default 1,
  observed_version integer not null default 0,
  changed_at timestamptz not null default now(),
  next_wakeup_at timestamptz,
  woken_at timestamptz,
  wake_count integer not null default 0,
  wedged_at timestamptz,
  wedged_failures integer not null default 0,
  run_restarted_at timestamptz,
  step_failures integer not null default 0,
  step_parked_at timestamptz,
  problem text check (problem in ('provider', 'provider_quota', 'quota', 'unknown_recipients', 'internal')),
  unique (idempotency_key, unit_id),
  check (state <> 'paused' or paused_from is not null)
);
create index message_unit on message (unit_id, id);
create index message_unit_state on message (unit_id, state, id);
create index message_open on message (unit_id, state) where closed_at is null and state <> 'draft';
create index message_problem on message (problem) where problem is not null;
create index message_purgeable on message (closed_at) where closed_at is not null and purged_at is null;
-- Individual messages, by the uids they name.
create index message_uids on message using gin ((audience -> 'uids')) where audience ->> 'kind' = 'individual';
create index message_run_restarted on message (run_restarted_at) where run_restarted_at is not null;
create index message_reference on message (unit_id, reference, id) where reference is not null;
create index message_awaiting_approval on message (snapshot_at) where state = 'submitted';
-- What is claimed next is found unit by unit, without reading what waits behind it
-- (docs/design/queues-and-fairness.md).
create index message_unobserved on message (unit_id, wake_count, changed_at) where observed_version < version;
create index message_next_wakeup on message (unit_id, next_wakeup_at) where next_wakeup_at is not null;
-- Messages that wait for an approver, in the order of their list.
create index message_waiting on message (unit_id, changed_at, id) where state = 'submitted';
-- The messages of a category are listed by unit, the newest first: without the unit, Postgres may read and sort all of
-- the category while it does not know how many there are.
create index message_of_category on message (category_id, unit_id, id);
-- Open messages by their expiry: those that are shown as expired before their runs have moved them.
create index message_expiring on message (unit_id, expires_at)
  where state in ('draft', 'submitted', 'approved', 'paused') and expires_at is not null;

-- The content of a message.
-- request: the producer's body; frozen: the canonical messages, rendered at submit; compiled: the content per channel.
-- compiled_reminder: what the reminder sends; null: what the message sends.
-- tracked: whether the links of the compiled content are tracked; written at submit.
create table message_content (
  message_id uuid primary key references message,
  request jsonb not null,
  frozen jsonb,
  compiled jsonb,
  compiled_reminder jsonb,
  tracked boolean not null default false
);

-- An actor who created, edited or submitted the message; none of them may approve it.
-- copied: their words came with a copy. They may not approve it, and have no other part in it.
create table message_author (
  message_id uuid not null references message,
  actor text not null,
  copied boolean not null default false,
  primary key (message_id, actor)
);

-- A group that a submitted message's audience names, also inside the queries of dynamic groups, as it was at the
-- snapshot (docs/design/audiences.md). last_change: the newest group_change then; 0: none.
create table audience_group (
  message_id uuid not null references message,
  group_id uuid not null references subject_group,
  kept_by text,
  last_change bigint not null,
  primary key (message_id, group_id)
);
create index audience_group_group on audience_group (group_id);

-- The recipients of a submitted message at the snapshot, by channel, as marks: hashes of subject, moment at which the
-- address was bound, and a random seed. smallest: up to 1,024 marks in ascending order; mark_sum: the sum of all.
create table audience_sample (
  message_id uuid not null references message,
  channel text not null check (channel in ('chat', 'email')),
  seed bigint not null,
  people integer not null,
  mark_sum numeric not null,
  smallest bigint[] not null,
  primary key (message_id, channel)
);
