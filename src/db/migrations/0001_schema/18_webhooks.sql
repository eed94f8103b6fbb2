-- Events of the channels: stored first, applied afterwards, in order for each address
-- (docs/design/queues-and-fairness.md).

-- An event. The assistant (avatar) sends events as channels do; their address is a chat address.
-- event_id: the provider's, which identifies a repeated delivery. address: of the person concerned, on the channel;
-- address_hash: its hash; null: there is no address, or the key of the hashes was not available. subject_id: the
-- subject concerned; null: no subject has the address. unit_id: whose scenario or message the event is about, as
-- far as that was known when it arrived. payload contains what people wrote.
-- outcome: null while pending. reply_used_at: when the reply token of the event was used: the provider takes one once.
create table webhook_event (
  id uuid primary key default uuidv7(),
  channel text not null check (channel in ('chat', 'email', 'avatar')),
  event_id text not null,
  type text not null,
  address text,
  address_hash bytea,
  subject_id uuid references subject on delete cascade,
  unit_id uuid,
  occurred_at timestamptz not null,
  payload jsonb not null,
  received_at timestamptz not null default clock_timestamp(),
  tries integer not null default 0,
  next_try_at timestamptz not null default clock_timestamp(),
  outcome text,
  done_at timestamptz,
  reply_used_at timestamptz,
  unique (channel, event_id),
  check ((outcome is null) = (done_at is null))
);
create index webhook_event_open on webhook_event (id) where done_at is null;
create index webhook_event_order on webhook_event (channel, address, id) where done_at is null;
create index webhook_event_address on webhook_event (channel, address, occurred_at);
create index webhook_event_subject on webhook_event (subject_id);
create index webhook_event_failed on webhook_event (id) where outcome = 'failed';
create index webhook_event_unreadable on webhook_event (id) where outcome = 'unreadable';
create index webhook_event_received on webhook_event (received_at);
create index webhook_event_email on webhook_event (lower(address collate "C")) where channel = 'email';
create index webhook_event_of_subject_open on webhook_event (subject_id) where done_at is null;
-- An erasure finds what was written at an address while no subject had it.
create index webhook_event_of_stranger on webhook_event (address_hash) where subject_id is null;

-- What orders events: those of an address are applied one at a time; one without an address has no others.
create function webhook_key(channel text, address text, event_id text) returns bigint
language sql immutable parallel safe as $$
  select hashtextextended(channel || ' ' || coalesce(address, ' ' || event_id), 0)
$$;
create index webhook_event_of_head on webhook_event (webhook_key(channel, address, event_id), id) where done_at is null;

-- The first pending event of an address, and whose turn is next. A row for each address with pending events, kept by
-- triggers, so that it is right regardless of what writes events: a process, an erasure, an operator.
-- key: of the address. share: what its first event takes a turn of: a unit, the mail servers, or itself. first_id: its
-- first event. round: the lowest is next; null: put off until due_at.
create table webhook_head (
  key bigint primary key,
  share text not null,
  first_id uuid not null,
  round bigint,
  due_at timestamptz,
  check ((round is null) <> (due_at is null))
);
create index webhook_head_next on webhook_head (round, first_id) where round is not null;
create index webhook_head_of_share on webhook_head (share, round) where round is not null;
create index webhook_head_put_off on webhook_head (due_at) where due_at is not null;

-- Bounces come from servers, for which no person waits: all of them have the share of one unit.
create function webhook_share(key bigint, channel text, unit_id uuid) returns text
language sql immutable parallel safe as $$
  select coalesce(unit_id::text, case when channel = 'email' then channel else key::text end)
$$;

-- The round after the last one of a share, and after the one that goes on: so each share has one turn in a round.
create function webhook_round(of_share text) returns bigint language sql stable as $$
  select 1 + greatest(0, (select min(round) from webhook_head where round is not null),
    (select max(round) from webhook_head where share = of_share and round is not null))
$$;

-- Lets addresses that were put off take turns again, those that have been due for longest.
create function resume_webhook_heads(most integer) returns bigint language plpgsql as $$
declare
  resumed bigint;
begin
  update webhook_head set round = webhook_round(share), due_at = null
  where key = any(array(
    select key from webhook_head where due_at <= clock_timestamp() order by due_at limit most for update skip locked));
  get diagnostics resumed = row_count;
  return resumed;
end $$;

-- Brings an address up to date with its pending events. Its lock waits for those that are just being stored, and the
-- statement after it sees them.
create function settle_webhook_head(of_key bigint) returns void language plpgsql as $$
declare
  first record;
begin
  perform from webhook_head where key = of_key for update;
  if not found then
    return;
  end if;
  select webhook_share(of_key, channel, unit_id) as share, id, next_try_at into first
  from webhook_event
  where webhook_key(channel, address, event_id) = of_key and done_at is null
  order by id limit 1;
  if not found then
    delete from webhook_head where key = of_key;
  elsif first.next_try_at > clock_timestamp() then
    update webhook_head set share = first.share, first_id = first.id, round = null, due_at = first.next_try_at
    where key = of_key;
  else
    update webhook_head
    set share = first.share, first_id = first.id, round = webhook_round(first.share), due_at = null
    where key = of_key;
  end if;
end $$;

create function webhook_events_stored() returns trigger language plpgsql as $$
begin
  insert into webhook_head (key, share, first_id, round)
  select key, share, id, webhook_round(share) - 1 + row_number() over (partition by share order by id)
  from (
    select distinct on (key) key, webhook_share(key, channel, unit_id) as share, id
    from (
      select webhook_key(channel, address, event_id) as key, channel, unit_id, id from stored where done_at is null
    ) as pending
    order by key, id
  ) as pending
  order by key
  on conflict (key) do update set share = excluded.share where false; -- only locks
  return null;
end $$;
create trigger webhook_events_stored after insert on webhook_event
  referencing new table as stored for each statement execute function webhook_events_stored();

-- An event that ends lets an address that was put off take turns again only where one is due: mostly none is.
create function webhook_event_moved() returns trigger language plpgsql as $$
begin
  perform settle_webhook_head(webhook_key(old.channel, old.address, old.event_id));
  if tg_op = 'UPDATE' and exists (select from webhook_head where due_at <= clock_timestamp()) then
    perform resume_webhook_heads(1);
  end if;
  return null;
end $$;
create trigger webhook_event_moved after update of done_at, next_try_at on webhook_event for each row
  when (old.done_at is null and (new.done_at is not null or new.next_try_at <> old.next_try_at))
  execute function webhook_event_moved();
create trigger webhook_event_erased after delete on webhook_event for each row
  when (old.done_at is null) execute function webhook_event_moved();
