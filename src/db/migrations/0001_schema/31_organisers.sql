-- Who of a unit may read what each person answered, beside those who may anyway (docs/design/answers.md).

-- A member who was named as an organiser of a message or a pattern. named_at: they read what was answered since then.
-- Deleted when the person leaves the unit.
create table organiser (
  message_id uuid references message on delete cascade,
  pattern_id uuid references pattern on delete cascade,
  unit_id uuid not null references unit,
  person_id uuid not null references person,
  named_by text not null,
  named_at timestamptz not null default clock_timestamp(),
  check (num_nonnulls(message_id, pattern_id) = 1),
  unique (message_id, person_id),
  unique (pattern_id, person_id)
);
create index organiser_of_member on organiser (person_id, unit_id);
