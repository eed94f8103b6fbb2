-- Schedules, which make messages or start runs of a scenario at set times (docs/design/schedules.md).

-- A schedule. It has a run, and each time that it was due is an occurrence.
-- body_hash: of the request under this key. at, delay_seconds, cron and time_zone: when, by type.
-- message: the body of its messages, or start: {audience, variables} for runs of a scenario.
-- acts_for: who last wrote what it makes or when; their rights are checked at each occurrence. authors: everyone who
-- did; none of them may approve its messages.
-- next_at: when it is due; null: it is disabled, finished or deleted. plan: counts changes of when it is due. failures:
-- refused and failed occurrences in a row.
-- From closed_at on: the columns of every run, as of message.
create table schedule (
  id uuid primary key default uuidv7(),
  unit_id uuid not null references unit,
  idempotency_key text,
  body_hash bytea,
  name text not null,
  type text not null check (type in ('once', 'delay', 'recurring')),
  at timestamptz,
  delay_seconds integer,
  cron text,
  time_zone text,
  category_id text not null references category,
  message jsonb,
  scenario_id uuid references scenario,
  start jsonb,
  state text not null check (state in ('active', 'disabled', 'finished', 'deleted')),
  disabled_reason text check (disabled_reason in ('by_caller', 'failures')),
  next_at timestamptz,
  plan integer not null default 1,
  failures integer not null default 0,
  acts_for text not null,
  authors text[] not null,
  created_by text not null,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  closed_at timestamptz,
  version integer not null default 1,
  observed_version integer not null default 0,
  changed_at timestamptz not null default clock_timestamp(),
  next_wakeup_at timestamptz,
  woken_at timestamptz,
  wake_count integer not null default 0,
  wedged_at timestamptz,
  wedged_failures integer not null default 0,
  run_restarted_at timestamptz,
  step_failures integer not null default 0,
  step_parked_at timestamptz,
  problem text check (problem in ('provider', 'provider_quota', 'quota', 'unknown_recipients', 'internal')),
  unique (unit_id, idempotency_key),
  constraint schedule_when check (case type when 'once' then at is not null when 'delay' then delay_seconds is not null
    else cron is not null and time_zone is not null end),
  constraint schedule_makes check (num_nonnulls(message, start) = 1 and (start is null) = (scenario_id is null)),
  constraint schedule_due check ((state = 'active') = (next_at is not null)),
  constraint schedule_disabled check ((state = 'disabled') = (disabled_reason is not null)),
  constraint schedule_closed check ((state in ('finished', 'deleted')) = (closed_at is not null))
);
create index schedule_of_unit on schedule (unit_id, id) where state <> 'deleted';
create index schedule_uids on schedule using gin ((message #> '{audience,uids}'))
  where message #>> '{audience,kind}' = 'individual';
create index schedule_wedged on schedule (id) where wedged_at is not null;
create index schedule_restarted on schedule (run_restarted_at) where run_restarted_at is not null;
create index schedule_problem on schedule (id) where problem is not null;
create index schedule_closed_at on schedule (closed_at) where closed_at is not null;
create index schedule_unobserved on schedule (unit_id, wake_count, changed_at) where observed_version < version;
create index schedule_due_run on schedule (unit_id, next_wakeup_at) where next_wakeup_at is not null;

-- A time at which a schedule was due. key: the time zone, and what its clocks showed. plan: of the schedule then;
-- next_at: when it was due next. A created one has its message or a number of runs; a refused or failed one the error:
-- {code, message, details?}; a missed one has a reason (changed: the schedule changed before it was made).
create table occurrence (
  id uuid primary key default uuidv7(),
  schedule_id uuid not null references schedule on delete cascade,
  key text not null,
  due_at timestamptz not null,
  plan integer not null,
  next_at timestamptz,
  outcome text not null check (outcome in ('created', 'missed', 'refused', 'failed')),
  reason text check (reason in ('late', 'superseded', 'changed')),
  error jsonb,
  message_id uuid unique references message,
  runs integer,
  at timestamptz not null default clock_timestamp(),
  constraint occurrence_created check ((outcome = 'created') = (num_nonnulls(message_id, runs) = 1)),
  constraint occurrence_missed check ((outcome = 'missed') = (reason is not null)),
  constraint occurrence_error check ((outcome in ('refused', 'failed')) = (error is not null))
);
-- As of deliveries: no plan may depend on which schedules were sampled (docs/design/speed.md, "Plans and keys").
alter table occurrence alter column schedule_id set statistics 0;
create index occurrence_of_schedule on occurrence (schedule_id, id);
create index occurrence_at on occurrence (at);
-- After the other indexes: while a table is empty, of indexes that cost the same Postgres takes the newest, and an
-- occurrence is looked for by its key.
alter table occurrence add unique (schedule_id, key);
