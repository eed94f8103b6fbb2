/** Callbacks that units have registered, and their deliveries, each written with the change that it reports. */
export const callbacks = `
-- secret: sealed; old_secret also signs until old_secret_until.
-- failing_since: the first failed try since the last success; exhausted: deliveries exhausted since then.
create table callback (
  id uuid primary key default uuidv7(),
  unit_id uuid not null references unit,
  url text not null,
  description text not null default '',
  types text[] not null,
  secret bytea not null,
  old_secret bytea,
  old_secret_until timestamptz,
  enabled boolean not null default true,
  disabled_reason text check (disabled_reason in ('gone', 'asked')),
  failing_since timestamptz,
  exhausted integer not null default 0,
  delivered_at timestamptz,
  created_by text not null,
  created_at timestamptz not null default clock_timestamp(),
  check (enabled = (disabled_reason is null))
);
create index callback_unit on callback (unit_id, id);

-- One change reported to one callback. The body is built from the row when it is sent, and is the same in every try.
create table callback_delivery (
  id uuid primary key default uuidv7(),
  callback_id uuid not null references callback,
  message_id uuid not null references message,
  type text not null,
  state text not null,
  from_state text,
  version integer not null,
  at timestamptz not null default clock_timestamp(),
  outcome text not null default 'waiting' check (outcome in ('waiting', 'delivered', 'failed')),
  tries integer not null default 0,
  next_try_at timestamptz,
  lease_until timestamptz,
  last_try_at timestamptz,
  status integer,
  code text,
  check ((outcome = 'waiting') = (next_try_at is not null))
);
create index callback_delivery_due on callback_delivery (callback_id, next_try_at) where outcome = 'waiting';
create index callback_delivery_order on callback_delivery (callback_id, message_id, id) where outcome = 'waiting';
create index callback_delivery_list on callback_delivery (callback_id, id);
create index callback_delivery_at on callback_delivery using brin (at);
create index callback_delivery_message on callback_delivery (message_id);
`
