import { type QueryExecutorProvider, sql } from 'kysely'

/**
 * Scenarios: durable conversations with one person (docs/decisions/0070-scenarios.md). A run is a row with the columns
 * by which every run is woken; what it says is a turn, what it hears an answer, what it looks up a Lookup.
 */
export async function up(db: QueryExecutorProvider): Promise<void> {
  for (const statements of [scenarios, runs, turns, lookups, neighbours])
    await sql.raw(statements).execute(db)
}

const scenarios = `
-- farewell: what open runs are told when the scenario is retired. resumes: whether a paused one goes on when the version
-- that waits is approved.
create table scenario (
  id uuid primary key default uuidv7(),
  unit_id uuid not null references unit,
  state text not null default 'draft' check (state in ('draft', 'active', 'paused', 'retired')),
  farewell jsonb,
  resumes boolean not null default false,
  created_by text not null,
  created_at timestamptz not null default clock_timestamp()
);
create index scenario_of_unit on scenario (unit_id, id);

-- content: {description?, variables, triggers?, lateSeconds, nodes, edges}. authors: who wrote what stands in it, unless a
-- person has approved that; none of them may approve it. reason: while it waits, why a person decides; once it is
-- rejected, why. automatic: in force by the automatic check alone, and therefore
-- without triggers and mass starts.
create table scenario_version (
  scenario_id uuid not null references scenario on delete cascade,
  version integer not null,
  state text not null check (state in ('draft', 'submitted', 'in_force', 'replaced', 'rejected')),
  name text not null,
  category_id text not null references category,
  content jsonb not null,
  created_by text not null,
  authors text[] not null,
  created_at timestamptz not null default clock_timestamp(),
  submitted_at timestamptz,
  automatic boolean not null default false,
  decided_by text,
  decided_at timestamptz,
  reason text,
  primary key (scenario_id, version)
);
create unique index scenario_version_in_force on scenario_version (scenario_id) where state = 'in_force';
create unique index scenario_version_submitted on scenario_version (scenario_id) where state = 'submitted';

-- What starts a scenario in force by itself, once in the whole installation. trigger: follow, or keyword: and a folded text.
create table scenario_trigger (
  trigger text primary key check (trigger = 'follow' or trigger like 'keyword:%'),
  scenario_id uuid not null references scenario on delete cascade
);
create index scenario_trigger_scenario on scenario_trigger (scenario_id);
`

const runs = `
-- A call that started runs. variables: of all of them, stored once. body_hash: of the request under this key.
create table scenario_start (
  id uuid primary key default uuidv7(),
  scenario_id uuid not null references scenario on delete cascade,
  actor text not null,
  idempotency_key text,
  body_hash bytea,
  answer jsonb,
  variables jsonb not null,
  created_at timestamptz not null default clock_timestamp(),
  unique (scenario_id, idempotency_key)
);
create index scenario_start_answer on scenario_start using gin (answer jsonb_path_ops);

-- occasion: '' or the event of a binding that runs once per event. node: where it is, since entered_at; deadline: when it
-- goes on by itself. variables: what it has learned, over those of its start. jumps: since the person last said something.
-- started_by_webhook: the tap or text that started it. test: tells only who started it, and changes nothing else. reason:
-- why it was cancelled or failed. From version on: the columns of every run (docs/decisions/0071-runs-of-kinds.md).
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
  node text not null,
  entered_at timestamptz not null default clock_timestamp(),
  deadline timestamptz,
  variables jsonb not null default '{}',
  answers jsonb not null default '{}',
  lookup_error text,
  reason text,
  jumps integer not null default 0,
  created_at timestamptz not null default clock_timestamp(),
  closed_at timestamptz,
  purged_at timestamptz,
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
  problem text check (problem in ('provider', 'provider_quota', 'quota', 'internal')),
  check ((state in ('running', 'waiting')) = (closed_at is null)),
  foreign key (scenario_id, version_number) references scenario_version
);
create unique index scenario_run_open on scenario_run (scenario_id, subject_id, occasion) where closed_at is null;
create index scenario_run_of_scenario on scenario_run (scenario_id, id);
create index scenario_run_of_subject on scenario_run (subject_id, id);
create index scenario_run_of_start on scenario_run (start_id) where start_id is not null;
create index scenario_run_of_unit on scenario_run (unit_id) where closed_at is null;
create index scenario_run_unobserved on scenario_run (changed_at) where observed_version < version;
create index scenario_run_due on scenario_run (next_wakeup_at) where next_wakeup_at is not null;
create index scenario_run_wedged on scenario_run (id) where wedged_at is not null;
create index scenario_run_restarted on scenario_run (run_restarted_at) where run_restarted_at is not null;
create index scenario_run_problem on scenario_run (id) where problem is not null;
create index scenario_run_closed on scenario_run (closed_at) where closed_at is not null and purged_at is null;

-- The path of a run: when it entered a node, and by which edge it left; edge null: it is there, or the run ended there.
-- An edge is the JSON of its case, the text plain, or the text nextNode.
create table scenario_step (
  run_id uuid not null references scenario_run on delete cascade,
  node text not null,
  entered_at timestamptz not null default clock_timestamp(),
  left_at timestamptz,
  edge text,
  to_node text,
  primary key (run_id, node)
);

-- Counts that outlive the paths, added when a run is purged. edge: as of a step; '' for entering the node.
create table scenario_count (
  scenario_id uuid not null references scenario on delete cascade,
  version integer not null,
  node text not null,
  edge text not null,
  count integer not null,
  primary key (scenario_id, version, node, edge)
);

-- The first answer that was committed counts. webhook_event_id: of the tap or text; null: by a link in a mail.
create table scenario_answer (
  run_id uuid not null references scenario_run on delete cascade,
  node text not null,
  option_id text,
  text text,
  webhook_event_id uuid unique,
  at timestamptz not null default clock_timestamp(),
  primary key (run_id, node)
);
`

const turns = `
-- What a run says at once, from first_node to last_node. says: what it said, rendered: [{node, messages}]. Its first try is
-- a claim that pays, and stores address and content; a repeat sends the same. by: a reply is free; push and mail are paid,
-- from the two halves, in the ledger of the month. answers_person: it follows what the person said within a minute.
-- unclear: the provider may have taken an earlier try. refused: the channels that have refused it for certain.
-- reply_event_id: the event whose token it is answered with.
create table turn (
  id uuid primary key default uuidv7(),
  run_id uuid not null references scenario_run on delete cascade,
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
  channel text check (channel in ('chat', 'email')),
  address text,
  content jsonb,
  by text check (by in ('reply', 'push', 'mail')),
  retry_key uuid,
  reply_event_id uuid,
  unclear boolean not null default false,
  refused text[] not null default '{}',
  unit_pushes integer not null default 0,
  pool_pushes integer not null default 0,
  month date,
  tries integer not null default 0,
  first_try_at timestamptz,
  next_try_at timestamptz,
  claimed_by text,
  lease_until timestamptz,
  request_id text,
  created_at timestamptz not null default clock_timestamp(),
  closed_at timestamptz,
  unique (run_id, number),
  check ((state = 'pending') = (closed_at is null))
);
create index turn_of_subject on turn (subject_id, id);
create index turn_paid on turn (month, unit_id) where unit_pushes + pool_pushes > 0;
`

const lookups = `
-- Where Lookups may go. unit_id: for its scenarios alone; null: for all. key_id: of the signing key; null: the first one.
create table lookup_endpoint (
  id uuid primary key default uuidv7(),
  origin text not null,
  unit_id uuid references unit,
  key_id text,
  created_by text not null,
  created_at timestamptz not null default clock_timestamp(),
  unique nulls not distinct (origin, unit_id)
);

-- Stored before the call, which is never made twice. outcome null: under way, or lost with its worker.
create table lookup (
  run_id uuid not null references scenario_run on delete cascade,
  node text not null,
  started_at timestamptz not null default clock_timestamp(),
  ended_at timestamptz,
  outcome text check (outcome in ('found', 'timeout', 'status', 'shape', 'size', 'network')),
  dropped integer not null default 0,
  primary key (run_id, node),
  check ((outcome is null) = (ended_at is null))
);
`

const neighbours = `
-- A notice may be about a version of a scenario.
alter table notice add column scenario_id uuid references scenario on delete cascade;
alter table notice drop constraint notice_about,
  add constraint notice_about check (num_nonnulls(message_id, binding_id, template_id, scenario_id) = 1),
  add unique (scenario_id, version, person_id);

-- When the reply token of the event was used: the provider takes one once.
alter table webhook_event add column reply_used_at timestamptz;
create index webhook_event_of_subject_open on webhook_event (subject_id) where done_at is null;

-- A binding may start runs instead of making a message; runs: how many an event started. The unit of an event is that of
-- what it made, so an event without one has made nothing.
alter table event_binding_version add column scenario_id uuid references scenario,
  add column run_per text check (run_per in ('subject', 'event')),
  add constraint event_binding_makes check (num_nonnulls(template_id, scenario_id) <= 1),
  add constraint event_binding_runs check ((scenario_id is null) = (run_per is null));
alter table event add column runs integer,
  drop constraint event_error_check, drop constraint event_check, drop constraint event_unit,
  add constraint event_error_check check (error in ('no_subjects', 'no_binding', 'no_template', 'no_scenario',
    'missing_variable', 'content_violation', 'too_many_runs', 'too_many_people', 'internal')),
  add constraint event_outcome check (num_nonnulls(message_id, runs, error) <= 1),
  add constraint event_unit check ((unit_id is null) = (num_nonnulls(message_id, runs) = 0));
drop index event_open;
create index event_open on event (next_try_at) where unit_id is null and error is null;
drop index event_without_message;
create index event_without_outcome on event (source, type, id) where unit_id is null;
`
