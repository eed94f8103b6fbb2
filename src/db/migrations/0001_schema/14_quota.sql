-- The monthly ledger and its reservations (docs/design/quota.md).

-- The limit of a month. scope: 'pool' or a unit's id. A month's ledger row takes its limit from here when it is
-- created.
create table quota_default (
  scope text not null,
  channel text not null check (channel in ('chat', 'email')),
  monthly_limit integer not null check (monthly_limit >= 0),
  primary key (scope, channel)
);

-- What a scope has reserved and committed in a month.
create table quota_ledger (
  scope text not null,
  channel text not null check (channel in ('chat', 'email')),
  month date not null,
  monthly_limit integer not null,
  reserved integer not null default 0 check (reserved >= 0),
  committed integer not null default 0 check (committed >= 0),
  primary key (scope, channel, month),
  check (reserved + committed <= monthly_limit)
);

-- The unit's and the pool's half of what a wave has reserved and committed; a closed wave has reserved = 0.
create table quota_reservation (
  wave_id uuid not null references wave,
  channel text not null,
  unit_id uuid not null references unit,
  month date not null,
  unit_reserved integer not null default 0 check (unit_reserved >= 0),
  pool_reserved integer not null default 0 check (pool_reserved >= 0),
  unit_committed integer not null default 0 check (unit_committed >= 0),
  pool_committed integer not null default 0 check (pool_committed >= 0),
  primary key (wave_id, channel, month)
);
