-- Rates. The tables are unlogged: a crash of the server loses no more than a minute's count.

-- The requests of a caller within the last minute. caller: the authenticated caller, or the client address; hits: every
-- request in its window, in order; admitted: whether the last one was. Half of each page stays free: each request
-- updates a row, as a HOT update.
create unlogged table rate_window (
  caller text primary key,
  hits timestamptz[] not null,
  admitted boolean not null
) with (fillfactor = 50);

-- The steps of rendering that a unit has used, as of counted_at: a bucket that empties within a minute
-- (docs/design/templates.md).
create unlogged table render_steps (
  unit_id uuid primary key,
  steps double precision not null,
  counted_at timestamptz not null
);

-- A provider's rate limit, per account and endpoint: a token bucket as of a moment; below 0, tokens are lent ahead.
create unlogged table provider_rate (
  account text not null,
  endpoint text not null,
  tokens double precision not null,
  at timestamptz not null,
  primary key (account, endpoint)
);
