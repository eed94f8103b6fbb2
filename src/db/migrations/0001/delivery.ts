/** Waves and the rows that account for every recipient (docs/decisions/0031-claims.md). */
export const delivery = `
-- expected is null until the deliveries are written; the counters are tallied from finished batches.
-- purged_at: when its deliveries, batches and calls were deleted.
-- parked: since parked_at, with the next probe at probe_at; skip_remaining: an operator skips the remaining recipients.
create table wave (
  id uuid primary key default uuidv7(),
  message_id uuid references message,
  number smallint not null default 0,
  state text not null default 'waiting' check (state in ('waiting', 'sending', 'paused', 'sent', 'cancelled',
    'stopped', 'expired', 'missed')),
  month date not null,
  expected integer,
  claimed boolean not null default false,
  sent integer not null default 0,
  failed integer not null default 0,
  unknown integer not null default 0,
  skipped jsonb not null default '{}',
  by_channel jsonb not null default '{}',
  parked text check (parked in ('provider', 'provider_quota', 'quota')),
  parked_at timestamptz,
  probe_at timestamptz,
  skip_remaining boolean not null default false,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz,
  purged_at timestamptz,
  unique (message_id, number)
);

-- One row per recipient that the audience names. batch is null for those skipped from the start.
create table delivery (
  wave_id uuid not null,
  subject_id uuid not null,
  channel text not null,
  batch integer,
  state text not null check (state in ('pending', 'sent', 'failed', 'skipped', 'unknown')),
  reason text,
  primary key (wave_id, subject_id, channel)
) partition by range (wave_id);
create index delivery_batch on delivery (wave_id, channel, batch);
-- For a recipient's inbox (docs/decisions/0019-recipients.md).
create index delivery_subject on delivery (subject_id);

-- open: not finished (free if lease_until is null or past); done: outcomes written; counted: added to the counters.
-- repeats: repeated mail to recipients whose first outcome is unknown; its pushes are already committed.
-- tries, failing_since, code: how often, since when and why it is deferred. This distinguishes a batch that keeps
-- failing from a provider that is down.
create table batch (
  wave_id uuid not null references wave,
  channel text not null,
  number integer not null,
  locale text not null,
  size integer not null,
  repeats boolean not null default false,
  state text not null default 'open' check (state in ('open', 'done', 'counted')),
  tries integer not null default 0,
  failing_since timestamptz,
  code text,
  not_before timestamptz,
  claimed_by uuid,
  run_id text,
  activity_id text,
  attempt integer,
  lease_until timestamptz,
  sent integer not null default 0,
  failed integer not null default 0,
  unknown integer not null default 0,
  skipped jsonb not null default '{}',
  pushes integer not null default 0,
  primary key (wave_id, channel, number)
);
create index batch_open on batch (wave_id, channel, tries, number) where state = 'open';
create index batch_failing on batch (failing_since) where state = 'open' and failing_since is not null;
create index batch_done on batch (wave_id) where state = 'done';

-- One provider request: stored with its retry key and members before the first try. call_number: its place among the
-- calls of its batch, from 0.
create table call (
  wave_id uuid not null,
  channel text not null,
  batch integer not null,
  call_number smallint not null,
  retry_key uuid not null,
  subject_ids uuid[] not null,
  addresses text[] not null,
  state text not null default 'open' check (state in ('open', 'accepted', 'refused', 'unknown')),
  unclear boolean not null default false,
  tries integer not null default 0,
  first_try_at timestamptz,
  code text,
  request_id text,
  primary key (wave_id, channel, batch, call_number),
  foreign key (wave_id, channel, batch) references batch (wave_id, channel, number)
);
-- Ids and addresses do not compress; trying costs as much as storing them.
alter table call alter column subject_ids set storage external, alter column addresses set storage external;

-- The provider asked for a pause (Retry-After): no batch is claimed on its channel until then, except one as a probe.
create table channel_rest (
  channel text primary key check (channel in ('chat', 'email')),
  until timestamptz not null,
  probe_at timestamptz
);
`
