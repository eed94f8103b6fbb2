/** Mails that ask approvers to review a message: written with the move into review, sent afterwards. */
export const notice = `
-- version: of the message, so that each review is notified once. obsolete: decided before the mail was sent.
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
