/** The monthly ledger, what is reserved on it (docs/decisions/0032-ledger.md), and the provider's own rate. */
export const quota = `
-- scope: 'pool' or a unit's id. A month's ledger row takes its limit from here when it is first touched.
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

-- The unit half and the pool half of what a wave holds and has used; gone when the wave is over means reserved = 0.
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

-- A provider's own rate, per account and endpoint: a bucket of tokens as it stood at a moment; below 0 they are lent.
create unlogged table provider_rate (
  account text not null,
  endpoint text not null,
  tokens double precision not null,
  at timestamptz not null,
  primary key (account, endpoint)
);
`
