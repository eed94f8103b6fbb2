-- Waves, and the rows that account for every recipient (docs/design/waves-and-claims.md).

-- The first send of a message (number 0), or its reminder (1).
-- month: its pushes are counted in the ledger of this month.
-- expected: how many deliveries it has; null until they are written. unreserved: they are written, and their quota is
-- not reserved yet: none of its batches can be claimed. claimed: a batch has been claimed. The counters are tallied
-- from finished batches.
-- people: {reached, unknown, failed, skipped}, of a plan that sends on several channels at once; counted at its end.
-- shortfall: {people, reached, reasons: [{channel, reason, deliveries}]}, of a wave that ended and reached no one or
-- far too few.
-- parked: why it waits, since parked_at, with the next probe at probe_at. skip_remaining: an operator skips the
-- remaining recipients. doubted_at: when a mail server's refusals were first doubted; believed: a person said that they
-- are right.
-- due_at: when the wave could send; set when it starts and when it is resumed.
-- purged_at: when its deliveries, batches and calls were deleted.
-- rolled_up_at: when its counts were added to wave_metric and contact; null: they are not added yet. roll_up_tries,
-- roll_up_at: how often that failed, and when it is tried again.
create table wave (
  id uuid primary key default uuidv7(),
  message_id uuid references message,
  number smallint not null default 0,
  state text not null default 'waiting' check (state in ('waiting', 'sending', 'paused', 'sent', 'cancelled',
    'stopped', 'expired', 'missed')),
  month date not null,
  expected integer,
  unreserved boolean not null default false,
  claimed boolean not null default false,
  sent integer not null default 0,
  failed integer not null default 0,
  unknown integer not null default 0,
  skipped jsonb not null default '{}',
  by_channel jsonb not null default '{}',
  people jsonb,
  shortfall jsonb,
  parked text check (parked in ('provider', 'provider_quota', 'quota', 'unknown_recipients')),
  parked_at timestamptz,
  probe_at timestamptz,
  skip_remaining boolean not null default false,
  doubted_at timestamptz,
  believed boolean not null default false,
  created_at timestamptz not null default now(),
  due_at timestamptz,
  started_at timestamptz,
  finished_at timestamptz,
  purged_at timestamptz,
  rolled_up_at timestamptz,
  roll_up_tries integer not null default 0,
  roll_up_at timestamptz,
  unique (message_id, number)
);
create index wave_to_roll_up on wave (finished_at, id)
  where finished_at is not null and rolled_up_at is null and message_id is not null;
create index wave_shortfall on wave (finished_at) where shortfall is not null;

-- One row per recipient that the audience names, and channel. batch is null for those skipped from the start.
-- Partitioned by the month in which the id of the wave (UUIDv7) was made.
create table delivery (
  wave_id uuid not null,
  subject_id uuid not null,
  channel text not null,
  batch integer,
  state text not null check (state in ('pending', 'sent', 'failed', 'skipped', 'unknown')),
  reason text,
  primary key (wave_id, subject_id, channel)
) partition by range (wave_id);
-- No statistics of which waves and batches have deliveries. With them, Postgres expects one row of a wave that was not
-- sampled, for which every index that begins with the wave is as good, and each batch reads the wave whole
-- (docs/design/speed.md, "Plans and keys"). A partition does not take this over from its parent.
alter table delivery alter column wave_id set statistics 0, alter column batch set statistics 0;
create index delivery_batch on delivery (wave_id, channel, batch);
-- For a recipient's inbox.
create index delivery_subject on delivery (subject_id);

-- The next functions run with the rights of their owner, because only the owner of a table may attach and drop its
-- partitions. Both take a month and nothing else, so that a caller can name no other table.

-- The bounds are the first ids (UUIDv7) of this month and of the next, in UTC. Half of each page stays free: a row is
-- updated once, with its outcome, and as a HOT update that adds no index entries.
create function make_delivery_partition(month date) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  first date := date_trunc('month', month::timestamp);
  name text := 'delivery_' || to_char(first, 'YYYY_MM');
begin
  lock table only delivery in share update exclusive mode;
  if to_regclass(name) is null then
    execute format('create table %I (like delivery including all) with (fillfactor = 50)', name);
    execute format('alter table %I alter column wave_id set statistics 0, alter column batch set statistics 0', name);
    execute format('alter table delivery attach partition %I for values from (%L) to (%L)', name,
      first_uuid_of(first), first_uuid_of((first + interval '1 month')::date));
  end if;
end $$;

create function first_uuid_of(day date) returns uuid
language sql immutable set search_path = public, pg_temp as $$
  select rpad(lpad(to_hex((extract(epoch from day) * 1000)::bigint), 12, '0'), 32, '0')::uuid
$$;

create function drop_delivery_partition(month date) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  execute format('drop table %I', 'delivery_' || to_char(month, 'YYYY_MM'));
end $$;

revoke execute on function make_delivery_partition(date), drop_delivery_partition(date) from public;

-- Deliveries of a wave that are sent together, on one channel and in one language.
-- repeats: repeated mail to recipients whose first outcome is unknown; its pushes are already committed.
-- state: open: not finished (free if lease_until is null or past); done: outcomes written; counted: added to the
-- counters.
-- tries, failing_since, code: how often, since when and why it is deferred, until not_before. This distinguishes a
-- batch that keeps failing from a provider that is down.
-- claimed_by: the claim; run_id, activity_id, attempt: who claims. A later attempt of the same activity takes over.
-- pushes: recipients × accepted or unclear calls, which the ledger commits.
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
-- calls of its batch, from 0. unclear: the provider may have taken an earlier try.
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

-- The provider asked for a pause (Retry-After): no batch is claimed on its channel until then, except one as a probe,
-- at probe_at.
create table channel_rest (
  channel text primary key check (channel in ('chat', 'email')),
  until timestamptz not null,
  probe_at timestamptz
);
