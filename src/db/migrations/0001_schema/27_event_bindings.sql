-- Bindings: what events make (docs/design/events.md).

-- A binding of a unit; its versions say what it does.
create table event_binding (
  id uuid primary key default uuidv7(),
  unit_id uuid not null references unit,
  created_at timestamptz not null default now()
);
create index event_binding_unit on event_binding (unit_id, id);

-- A version of a binding. It makes a message, or starts runs of a scenario. run_per: once for each person at a time, or
-- once for each event.
-- replaced: a newer version has taken its place, in force or for decision.
-- audience: {"kind": "event_subjects"} or a query. key_ids: signing keys that may trigger it; null: all.
-- authors: every actor who wrote its content, except what a person has approved; none of them may approve it.
-- took_effect_at: when it came into force; null: it has never been.
create table event_binding_version (
  binding_id uuid not null references event_binding on delete cascade,
  version integer not null,
  state text not null check (state in ('submitted', 'in_force', 'replaced', 'rejected')),
  source text not null,
  type text not null,
  category_id text not null references category,
  template_id uuid references template,
  scenario_id uuid references scenario,
  run_per text check (run_per in ('subject', 'event')),
  audience jsonb not null,
  key_ids text[],
  enabled boolean not null,
  created_by text not null,
  authors text[] not null,
  created_at timestamptz not null default clock_timestamp(),
  took_effect_at timestamptz,
  decided_by text,
  decided_at timestamptz,
  reason text,
  primary key (binding_id, version),
  constraint event_binding_makes check (num_nonnulls(template_id, scenario_id) <= 1),
  constraint event_binding_runs check ((scenario_id is null) = (run_per is null))
);
create unique index event_binding_in_force on event_binding_version (source, type) where state = 'in_force' and enabled;
create unique index event_binding_version_in_force on event_binding_version (binding_id) where state = 'in_force';
create unique index event_binding_version_submitted on event_binding_version (binding_id) where state = 'submitted';
-- What bindings that are there made last of a source and type; of those that were deleted: event_binding_former.
create index event_binding_version_made on event_binding_version (source, type, took_effect_at)
  where took_effect_at is not null and enabled;

-- What deleted bindings of a unit made last, by source and type: a new binding is judged by it.
create table event_binding_former (
  unit_id uuid not null references unit,
  source text not null,
  type text not null,
  category_id text not null,
  template_id uuid,
  scenario_id uuid,
  run_per text,
  audience jsonb not null,
  key_ids text[],
  took_effect_at timestamptz not null,
  primary key (unit_id, source, type)
);
