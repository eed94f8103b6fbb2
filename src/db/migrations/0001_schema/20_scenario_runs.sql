-- Runs of scenarios, their paths, and what people answer in them. What a run says is a turn, what it looks up a Lookup.

-- A call that started runs. body_hash: of the request under this key. answer: what the call was answered, without the
-- uids. variables: of all its runs, stored once.
-- A start of 20 conversations or more is watched as a send is (docs/design/notices-and-pages.md). watch_at: when its
-- runs are counted next; null: it is small, or its outcome is known. ended_at: since when it is. shortfall: {people,
-- reached, reasons: [{channel, reason, deliveries}]}, of one in which too many failed.
create table scenario_start (
  id uuid primary key default uuidv7(),
  scenario_id uuid not null references scenario on delete cascade,
  actor text not null,
  idempotency_key text,
  body_hash bytea,
  answer jsonb,
  variables jsonb not null,
  created_at timestamptz not null default clock_timestamp(),
  watch_at timestamptz,
  ended_at timestamptz,
  shortfall jsonb,
  unique (scenario_id, idempotency_key)
);
create index scenario_start_answer on scenario_start using gin (answer jsonb_path_ops);
create index scenario_start_watched on scenario_start (watch_at) where watch_at is not null;
create index scenario_start_short on scenario_start (ended_at) where shortfall is not null;
create index scenario_start_short_of on scenario_start (scenario_id, ended_at) where shortfall is not null;

-- A conversation with one person.
-- subject_id null: the person was erased. occasion: '' or the event of a binding that runs once per event.
-- started_by_webhook: the tap or text that started it. test: it writes only to the person who started it, and changes
-- nothing else. reason: why it was cancelled or failed.
-- node: where it is, since entered_at; deadline: when it goes on by itself. variables: what it has learned, over those
-- of its start. jumps: since the person last said something. jumped_through: the scenarios of those jumps, this one
-- last; empty: the person has said something. spoke_at: when the person last said something, to this run or to one that
-- led to it; null: others began it, and the person has said nothing.
-- on_page: what the person said last came from a page behind a link. opening: what they chose on the page that started the
-- run, until its question is asked: {node, optionId, text, data}; then {turn}, the turn that asked it. jumped_from: the run
-- whose jump began it.
-- queued_at: since when it waits in line to begin; null: it does not. queued_mass: it waits with others of its start,
-- behind those that began alone (docs/design/queues-and-fairness.md).
-- traceparent: the span in which it was started; null: nothing was recorded.
-- From closed_at on: the columns of every run, as of message.
create table scenario_run (
  id uuid primary key default uuidv7(),
  scenario_id uuid not null references scenario,
  version_number integer not null,
  unit_id uuid not null references unit,
  subject_id uuid references subject on delete set null,
  occasion text not null default '',
  start_id uuid references scenario_start,
  started_by text not null,
  started_by_webhook uuid unique,
  test boolean not null default false,
  state text not null default 'running' check (state in ('running', 'waiting', 'done', 'cancelled', 'failed')),
  reason text,
  node text not null,
  entered_at timestamptz not null default clock_timestamp(),
  deadline timestamptz,
  variables jsonb not null default '{}',
  answers jsonb not null default '{}',
  lookup_error text,
  jumps integer not null default 0,
  jumped_through uuid[] not null default '{}',
  spoke_at timestamptz,
  on_page boolean not null default false,
  opening jsonb,
  jumped_from uuid,
  queued_at timestamptz,
  queued_mass boolean not null default false,
  created_at timestamptz not null default clock_timestamp(),
  purged_at timestamptz,
  traceparent text check (traceparent ~ '^[0-9a-f]{2}(-[0-9a-f]+){3}$'),
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
  check ((state in ('running', 'waiting')) = (closed_at is null)),
  foreign key (scenario_id, version_number) references scenario_version
);
-- As of deliveries: no plan may depend on which scenarios were sampled (docs/design/speed.md, "Plans and keys").
alter table scenario_run alter column scenario_id set statistics 0;
create unique index scenario_run_open on scenario_run (scenario_id, subject_id, occasion) where closed_at is null;
create index scenario_run_of_scenario on scenario_run (scenario_id, id);
create index scenario_run_of_subject on scenario_run (subject_id, id);
create index scenario_run_of_start on scenario_run (start_id) where start_id is not null;
create index scenario_run_of_unit on scenario_run (unit_id) where closed_at is null;
create index scenario_run_wedged on scenario_run (id) where wedged_at is not null;
create index scenario_run_restarted on scenario_run (run_restarted_at) where run_restarted_at is not null;
create index scenario_run_problem on scenario_run (id) where problem is not null;
create index scenario_run_closed on scenario_run (closed_at) where closed_at is not null and purged_at is null;
create index scenario_run_started on scenario_run (unit_id, created_at);
create index scenario_run_done on scenario_run (closed_at) where state = 'done';
create index scenario_run_unobserved on scenario_run (unit_id, wake_count, changed_at) where observed_version < version;
create index scenario_run_due on scenario_run (unit_id, next_wakeup_at) where next_wakeup_at is not null;
create index scenario_run_queued on scenario_run (unit_id, queued_mass, queued_at, id) where queued_at is not null;
-- Open runs that wait for their next step: how far a line moves depends on them. A run that is over holds up no line.
create index scenario_run_beginning on scenario_run (unit_id, wake_count)
  where observed_version < version and queued_at is null and closed_at is null;

-- When the line of a unit's runs last moved. Unlogged, as other figures of the last minutes.
create unlogged table start_line (
  unit_id uuid primary key,
  moved_at timestamptz not null
);

-- A step of the path of a run: when it entered a node, and by which edge it left; edge null: it is there, or the run
-- ended there. An edge is the JSON of its case, the text plain, or the text nextNode. reason: why it took its edge for
-- errors, a code; null for all other steps.
create table scenario_step (
  run_id uuid not null references scenario_run on delete cascade,
  node text not null,
  entered_at timestamptz not null default clock_timestamp(),
  left_at timestamptz,
  edge text,
  to_node text,
  reason text,
  primary key (run_id, node)
);

-- The answer at a node of a run. The first answer that was committed counts. webhook_event_id: of the tap or text;
-- null: by a link in a mail. data: the producer's own data of the button that was pressed.
create table scenario_answer (
  run_id uuid not null references scenario_run on delete cascade,
  node text not null,
  option_id text,
  text text,
  data jsonb,
  webhook_event_id uuid unique,
  at timestamptz not null default clock_timestamp(),
  primary key (run_id, node)
);
create index scenario_answer_at on scenario_answer (at);
