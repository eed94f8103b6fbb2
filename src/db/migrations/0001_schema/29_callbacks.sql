-- Callbacks that units have registered, and their deliveries (docs/design/callbacks-and-lookups.md).

-- A callback. url_by: who wrote the address; if that is a key with individual targeting, callbacks may name people.
-- secret: sealed; old_secret also signs until old_secret_until.
-- disabled_reason: gone: the endpoint answered 410; by_caller: a caller disabled it.
-- failing_since: the first failed try since the last success; exhausted: deliveries exhausted since then.
create table callback (
  id uuid primary key default uuidv7(),
  unit_id uuid not null references unit,
  url text not null,
  url_by text not null,
  description text not null default '',
  types text[] not null,
  secret bytea not null,
  old_secret bytea,
  old_secret_until timestamptz,
  enabled boolean not null default true,
  disabled_reason text check (disabled_reason in ('gone', 'by_caller')),
  failing_since timestamptz,
  exhausted integer not null default 0,
  delivered_at timestamptz,
  created_by text not null,
  created_at timestamptz not null default clock_timestamp(),
  check (enabled = (disabled_reason is null))
);
create index callback_unit on callback (unit_id, id);

-- One change reported to one callback, written with the change. The body is built from the row when it is sent, and is
-- the same in every try. It is about a message (state, from_state and version are the message's), a run, or else
-- object_id: a handoff, an import or a person. subject_id: who answered; null for other types.
-- data: of an answer, or counts or batches, fixed at the first try. sequence: deliveries about the same object with the
-- same sequence arrive in order.
create table callback_delivery (
  id uuid primary key default uuidv7(),
  callback_id uuid not null references callback,
  message_id uuid references message,
  run_id uuid references scenario_run on delete cascade,
  object_id uuid,
  subject_id uuid references subject on delete cascade,
  type text not null,
  sequence text not null generated always as (
    case type when 'message.answered' then subject_id::text when 'message.answer_counts' then 'answers'
      when 'delivery.failed' then 'failures' when 'registration.changed' then 'registration' else 'changes' end
  ) stored,
  state text,
  from_state text,
  version integer,
  data jsonb,
  at timestamptz not null default clock_timestamp(),
  outcome text not null default 'pending' check (outcome in ('pending', 'delivered', 'failed')),
  tries integer not null default 0,
  next_try_at timestamptz,
  lease_until timestamptz,
  last_try_at timestamptz,
  status integer,
  code text,
  check ((outcome = 'pending') = (next_try_at is not null)),
  constraint callback_delivery_about check (num_nonnulls(message_id, run_id, object_id) = 1)
);
create index callback_delivery_due on callback_delivery (callback_id, next_try_at) where outcome = 'pending';
create index callback_delivery_list on callback_delivery (callback_id, id);
create index callback_delivery_at on callback_delivery using brin (at);
create index callback_delivery_message on callback_delivery (message_id);
create index callback_delivery_subject on callback_delivery (subject_id) where subject_id is not null;
-- At most one delivery of counts, and one of failures that is not full, waits for its first try: changes add to it.
create unique index callback_delivery_answers on callback_delivery (callback_id, message_id)
  where type = 'message.answer_counts' and outcome = 'pending' and tries = 0;
create index callback_delivery_leased on callback_delivery (callback_id, lease_until)
  where outcome = 'pending' and lease_until is not null;
create index callback_delivery_run on callback_delivery (run_id) where run_id is not null;
create index callback_delivery_order
  on callback_delivery (callback_id, coalesce(message_id, run_id, object_id), sequence, id) where outcome = 'pending';
create unique index callback_delivery_failures on callback_delivery (callback_id, message_id)
  where type = 'delivery.failed' and outcome = 'pending' and tries = 0 and not data ? 'full';
