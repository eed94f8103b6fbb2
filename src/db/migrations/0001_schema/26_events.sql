-- Signed events of other systems (docs/design/events.md).

-- An event. id: in the order in which events were recorded.
-- An invalid event is recorded too, without its data. unnamed: it has no id that can be read; event_id is then the
-- digest of its signature. type and occurred_at are null only where they cannot be read.
-- The outcome is a message, a number of runs that it started (runs), or an error. Without one, the event is being
-- processed or is retried from next_try_at on. unit_id: of what it made, so an event without a unit has made nothing.
-- details: of the error: {variables} or {violations}.
create table event (
  source text not null,
  event_id text not null,
  id uuid not null default uuidv7() unique,
  type text,
  occurred_at timestamptz,
  subject_uids text[] not null,
  data jsonb not null,
  key_id text not null,
  unnamed boolean not null default false,
  received_at timestamptz not null default clock_timestamp(),
  tries integer not null default 0,
  next_try_at timestamptz not null,
  unit_id uuid,
  message_id uuid references message,
  runs integer,
  error text check (error in ('no_subjects', 'no_binding', 'no_template', 'no_scenario', 'missing_variable',
    'content_violation', 'too_many_runs', 'too_many_people', 'invalid_event', 'internal')),
  details jsonb,
  primary key (source, event_id),
  constraint event_readable check (error is not distinct from 'invalid_event'
    or (type is not null and occurred_at is not null and not unnamed)),
  constraint event_outcome check (num_nonnulls(message_id, runs, error) <= 1),
  constraint event_unit check ((unit_id is null) = (num_nonnulls(message_id, runs) = 0)),
  constraint event_details check (details is null or error is not null)
);
create index event_received on event using brin (received_at);
create index event_message on event (message_id) where message_id is not null;
create index event_internal on event (received_at) where error = 'internal';
-- An erasure or export finds the events that name a person.
create index event_subjects on event using gin (subject_uids);
create index event_of_unit on event (unit_id, source, type, id) where unit_id is not null;
create index event_open on event (next_try_at) where unit_id is null and error is null;
-- The events that made nothing: of a source and type, and of a source regardless of their type.
create index event_without_outcome on event (source, type, id) where unit_id is null;
create index event_unbound on event (source, id) where unit_id is null;

-- sha256 of a signature within the replay window, and the events it signed, in order.
create table event_signature (
  digest bytea primary key,
  source text not null,
  event_ids text[] not null,
  received_at timestamptz not null default clock_timestamp()
);
create index event_signature_received on event_signature (received_at);

-- A signing key that a system administrator issues to a unit. It may sign only events of its sources.
-- secret: sealed with SECRETS_KEY (an HMAC needs the secret itself).
create table event_key (
  id text primary key,
  unit_id uuid not null references unit,
  name text not null,
  sources text[] not null check (cardinality(sources) > 0),
  secret bytea not null,
  created_by text not null,
  created_at timestamptz not null default clock_timestamp(),
  revoked_at timestamptz
);
create index event_key_unit on event_key (unit_id);
create index event_key_sources on event_key using gin (sources);

-- A unit that may bind the events of a source.
create table event_source_claim (
  source text not null,
  unit_id uuid not null references unit,
  claimed_by text not null,
  claimed_at timestamptz not null default clock_timestamp(),
  primary key (source, unit_id)
);
