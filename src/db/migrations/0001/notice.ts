/** Mails to approvers that a message waits for them: written with the move that makes it wait, sent afterwards. */
export const notice = `
-- version: the message's, so that one round of waiting is told once. obsolete: decided before it could be sent.
create table notice (
  id uuid primary key default uuidv7(),
  message_id uuid not null references message,
  version integer not null,
  person_id uuid not null references person on delete cascade,
  reason text not null check (reason in ('submitted', 'check_failed', 'quota', 'drift')),
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'failed', 'obsolete')),
  tries integer not null default 0,
  next_try_at timestamptz not null default clock_timestamp(),
  code text,
  created_at timestamptz not null default clock_timestamp(),
  unique (message_id, version, person_id)
);
create index notice_due on notice (next_try_at) where state = 'waiting';
create index notice_failed on notice (id) where state = 'failed';
`
