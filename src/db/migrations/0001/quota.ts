/** The monthly ledger and its reservations (docs/decisions/0032-ledger.md), and the provider's rate limit. */
export const quota = `
-- scope: 'pool' or a unit's id. A month's ledger row takes its limit from here when it is created.
create table quota_default (
  scope text not null,
  channel text not null check (channel in ('chat', 'email')),
  monthly_limit integer not null check (monthly_limit >= 0),
  primary key (scope, channel)
);

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

-- A provider's rate limit, per account and endpoint: a token bucket as of a moment; below 0, tokens are lent ahead.
create unlogged table provider_rate (
  account text not null,
  endpoint text not null,
  tokens double precision not null,
  at timestamptz not null,
  primary key (account, endpoint)
);
`
