/** Webhook events of the channels: stored first, applied afterwards, in order for each address. */
export const webhooks = `
-- event_id: the provider's, which identifies a repeated delivery. address: of the person concerned, on the channel;
-- subject_id: the subject concerned. outcome: null while pending. payload contains what people wrote.
create table webhook_event (
  id uuid primary key default uuidv7(),
  channel text not null check (channel in ('chat', 'email')),
  event_id text not null,
  type text not null,
  address text,
  subject_id uuid references subject on delete cascade,
  occurred_at timestamptz not null,
  payload jsonb not null,
  received_at timestamptz not null default clock_timestamp(),
  tries integer not null default 0,
  next_try_at timestamptz not null default clock_timestamp(),
  outcome text,
  done_at timestamptz,
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
`
