-- Scenarios: durable conversations with one person (docs/design/scenarios.md).

-- A scenario. resumes: whether a paused one goes on when the version that waits is approved.
create table scenario (
  id uuid primary key default uuidv7(),
  unit_id uuid not null references unit,
  state text not null default 'draft' check (state in ('draft', 'active', 'paused', 'retired')),
  resumes boolean not null default false,
  created_by text not null,
  created_at timestamptz not null default clock_timestamp()
);
create index scenario_of_unit on scenario (unit_id, id);
-- Retired scenarios, whose open runs are looked for.
create index scenario_retired on scenario (id) where state = 'retired';

-- A version of a scenario.
-- content: {description?, variables, triggers?, farewell?, lateSeconds, nodes, edges}. jumps: how it leads to other
-- scenarios, computed from the graph. authors: who wrote its content, except what a person has approved; none of them
-- may approve it. submitted_by: the actor who asked for its activation; null: not yet. automatic: in force by the automatic check alone, and therefore without triggers and mass starts.
-- reason: while it waits, why a person decides; once it is rejected, why. decided_by: of a withdrawn one who withdrew it.
-- design: of one that a pattern generated what it was made of; null: it was written as a graph.
create table scenario_version (
  scenario_id uuid not null references scenario on delete cascade,
  version integer not null,
  state text not null check (state in ('draft', 'submitted', 'in_force', 'replaced', 'rejected', 'withdrawn')),
  name text not null,
  category_id text not null references category,
  content jsonb not null,
  jumps jsonb not null,
  design jsonb,
  created_by text not null,
  authors text[] not null,
  created_at timestamptz not null default clock_timestamp(),
  submitted_at timestamptz,
  submitted_by text,
  automatic boolean not null default false,
  decided_by text,
  decided_at timestamptz,
  reason text,
  primary key (scenario_id, version)
);
create unique index scenario_version_in_force on scenario_version (scenario_id) where state = 'in_force';
create unique index scenario_version_submitted on scenario_version (scenario_id) where state = 'submitted';

-- The positions of the boxes and arrows of a version in its picture, found by the digest of the sizes of the boxes.
create table scenario_layout (
  scenario_id uuid not null,
  version integer not null,
  sizes_hash bytea not null,
  layout jsonb not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (scenario_id, version, sizes_hash),
  foreign key (scenario_id, version) references scenario_version on delete cascade
);

-- What starts a scenario in force by itself, once in the whole installation. trigger: follow; otherwise, for what
-- nothing else takes; or keyword: and a folded text.
create table scenario_trigger (
  trigger text primary key check (trigger = 'follow' or trigger = 'otherwise' or trigger like 'keyword:%'),
  scenario_id uuid not null references scenario on delete cascade
);
create index scenario_trigger_scenario on scenario_trigger (scenario_id);

-- Counts that outlive the paths of runs, added when a run is purged. edge: as of a step; '' for entering the node.
create table scenario_count (
  scenario_id uuid not null references scenario on delete cascade,
  version integer not null,
  node text not null,
  edge text not null,
  count integer not null,
  primary key (scenario_id, version, node, edge)
);
