/** Message intents, their content, authors and the audit trail of every change of state. */
export const message = `
-- version counts changes of the row that the run must observe; observed_version is the last version it observed.
-- purged_at: when its texts and named recipients were deleted; its states and counts stay.
-- next_wakeup_at: when the run must act next; null while it waits for a person.
create table message (
  id uuid primary key default uuidv7(),
  unit_id uuid not null references unit,
  idempotency_key text,
  body_hash bytea,
  state text not null default 'draft' check (state in ('draft', 'submitted', 'rejected', 'approved', 'sending',
    'sent', 'failed', 'paused', 'cancelled', 'stopped', 'expired')),
  paused_from text check (paused_from in ('approved', 'sending')),
  kind text not null default 'broadcast' check (kind in ('broadcast', 'personal')),
  origin text not null check (origin in ('api', 'console', 'event', 'schedule')),
  category_id text not null references category,
  topic_id uuid references topic,
  template_id uuid references template,
  template_version integer,
  title jsonb not null,
  audience jsonb not null,
  channel_plan jsonb not null,
  plan_override jsonb,
  schedule_at timestamptz,
  expires_at timestamptz,
  remind_at timestamptz,
  snapshot jsonb,
  snapshot_at timestamptz,
  review_reason text,
  review_drift boolean not null default false,
  created_by text not null,
  created_at timestamptz not null default now(),
  submitted_at timestamptz,
  closed_at timestamptz,
  purged_at timestamptz,
  version integer not null default 1,
  observed_version integer not null default 0,
  changed_at timestamptz not null default now(),
  next_wakeup_at timestamptz,
  woken_at timestamptz,
  wake_count integer not null default 0,
  wedged_at timestamptz,
  problem text check (problem in ('provider', 'provider_quota', 'quota')),
  unique (idempotency_key, unit_id),
  check (state <> 'paused' or paused_from is not null)
);
create index message_unit on message (unit_id, id);
create index message_category on message (category_id);
create index message_unit_state on message (unit_id, state, id);
create index message_open on message (unit_id, state) where closed_at is null and state <> 'draft';
create index message_unobserved on message (changed_at) where observed_version < version;
create index message_problem on message (problem) where problem is not null;
create index message_purgeable on message (closed_at) where closed_at is not null and purged_at is null;
create index message_next_wakeup on message (next_wakeup_at) where next_wakeup_at is not null;

-- request: the producer's body; frozen: the canonical messages, rendered at submit; compiled: the content per channel
create table message_content (
  message_id uuid primary key references message,
  request jsonb not null,
  frozen jsonb,
  compiled jsonb
);

-- every actor who created, edited or submitted the message; none of them may approve it
create table message_author (
  message_id uuid not null references message,
  actor text not null,
  primary key (message_id, actor)
);

create table audit (
  id bigint generated always as identity primary key,
  at timestamptz not null default clock_timestamp(),
  unit_id uuid references unit,
  actor text not null,
  action text not null,
  object_kind text not null,
  object_id text not null,
  from_state text,
  to_state text,
  version integer,
  reason text,
  details jsonb
);
create index audit_object on audit (object_kind, object_id, id);
create index audit_unit on audit (unit_id, at, id);
create index audit_at on audit using brin (at);
create index audit_person on audit (actor, at, id) where actor like 'person:%';
`
