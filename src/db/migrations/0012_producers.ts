import { type QueryExecutorProvider, sql } from 'kysely'

/**
 * What producers and authors of messages asked for (docs/decisions/0056-what-producers-read.md,
 * docs/decisions/0057-after-a-decision.md). What is there stays as it is: no message has a reference, the people of a send
 * on several channels at once were not counted, and no category holds what a person has approved.
 */
export async function up(db: QueryExecutorProvider): Promise<void> {
  await sql.raw(ownReferences).execute(db)
  await sql.raw(holds).execute(db)
  await sql.raw(authorNotices).execute(db)
}

const ownReferences = `
alter table message add column reference text;
create index message_reference on message (unit_id, reference, id) where reference is not null;

-- people: {told, unknown, failed, skipped}, of a plan that sends on several channels at once; counted at its end.
alter table wave add column people jsonb;
`

const holds = `
-- hold_until: nothing is sent before, since a person approved it; hold_seconds of the category after the approval.
alter table category add column hold_seconds integer not null default 0 check (hold_seconds between 0 and 600);
alter table message add column hold_until timestamptz;
`

const authorNotices = `
-- author_notices: of what they are told by mail about messages they wrote.
alter table person add column author_notices text[] not null default '{rejected,approved,parked}'
  check (author_notices <@ array['rejected', 'approved', 'parked']);

-- Mails to the authors of a message. version: of the message, so that each is told once. obsolete: over before the mail
-- was sent.
create table author_notice (
  id uuid primary key default uuidv7(),
  message_id uuid not null references message,
  version integer not null,
  person_id uuid not null references person on delete cascade,
  what text not null check (what in ('rejected', 'approved', 'parked')),
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'failed', 'obsolete')),
  tries integer not null default 0,
  next_try_at timestamptz not null default clock_timestamp(),
  code text,
  created_at timestamptz not null default clock_timestamp(),
  unique (message_id, version, what, person_id)
);
create index author_notice_due on author_notice (next_try_at) where state = 'waiting';
create index author_notice_failed on author_notice (id) where state = 'failed';
`
