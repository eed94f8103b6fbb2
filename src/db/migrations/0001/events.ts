/** Signed events of other systems, and their bindings. */
export const events = `
-- audience: {"kind": "event_subjects"} or a query; key_ids: signing keys that may trigger it; null: all
create table event_binding (
  id uuid primary key default uuidv7(),
  unit_id uuid not null references unit,
  source text not null,
  type text not null,
  category_id text not null references category,
  template_id uuid references template,
  audience jsonb not null,
  key_ids text[],
  enabled boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index event_binding_in_force on event_binding (source, type) where enabled;
create index event_binding_unit on event_binding (unit_id, id);

-- The outcome is a message or an error. With neither, the event is being processed or is retried from next_try_at on.
create table event (
  source text not null,
  event_id text not null,
  type text not null,
  occurred_at timestamptz not null,
  subject_uids text[] not null,
  data jsonb not null,
  key_id text not null,
  received_at timestamptz not null default clock_timestamp(),
  tries integer not null default 0,
  next_try_at timestamptz not null,
  message_id uuid references message,
  error text check (error in ('no_subjects', 'no_binding', 'no_template', 'missing_variable', 'content_violation',
    'internal')),
  primary key (source, event_id),
  check (message_id is null or error is null)
);
create index event_received on event using brin (received_at);
create index event_message on event (message_id) where message_id is not null;
create index event_open on event (next_try_at) where message_id is null and error is null;
create index event_failed on event (source, type) where error is not null;
create index event_internal on event (received_at) where error = 'internal';

-- sha256 of every signature within the replay window, and the events it signed, in order
create table event_signature (
  digest bytea primary key,
  source text not null,
  event_ids text[] not null,
  received_at timestamptz not null default clock_timestamp()
);
create index event_signature_received on event_signature (received_at);
`
