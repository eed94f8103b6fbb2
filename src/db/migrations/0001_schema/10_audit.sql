-- Who did what to which object.

-- An act, or a change of state, of an object. unit_id null: it concerns no unit.
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
