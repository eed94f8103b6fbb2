import { type QueryExecutorProvider, sql } from 'kysely'

/**
 * Patterns: registrations, surveys and answers to invitations, each of which generates a scenario
 * (docs/decisions/0083-patterns.md).
 */
export async function up(db: QueryExecutorProvider): Promise<void> {
  await sql.raw(patterns).execute(db)
}

const patterns = `
-- questions: as they are asked, with the one that decides about taking part (attendance: its id). retimed_at: when the
-- deadline was changed, until the open runs know it. kept: counts of what retention has deleted.
create table pattern (
  id uuid primary key default uuidv7(),
  unit_id uuid not null references unit,
  scenario_id uuid not null unique references scenario,
  type text not null check (type in ('registration', 'survey', 'rsvp')),
  title jsonb not null,
  description jsonb,
  questions jsonb not null,
  attendance text,
  deadline timestamptz not null,
  retimed_at timestamptz,
  capacity integer check (capacity > 0),
  waiting_list boolean not null,
  kept jsonb not null default '{}',
  created_by text not null,
  created_at timestamptz not null default clock_timestamp()
);
create index pattern_of_unit on pattern (unit_id, id);
create index pattern_retimed on pattern (retimed_at) where retimed_at is not null;

-- Who takes part, written under the lock of the pattern. place: the order in which they asked. run_id: the run by which
-- they did. promoted_at: when somebody who waited got a place, until their run has seen it.
create table registration (
  pattern_id uuid not null references pattern on delete cascade,
  place integer not null,
  subject_id uuid references subject on delete set null,
  run_id uuid references scenario_run,
  state text not null check (state in ('registered', 'waiting', 'withdrawn', 'full')),
  promoted_at timestamptz,
  at timestamptz not null default clock_timestamp(),
  primary key (pattern_id, place),
  unique (pattern_id, subject_id)
);
create index registration_of_subject on registration (subject_id);
create index registration_of_state on registration (pattern_id, state, place);
create index registration_unseen on registration (run_id) where state = 'waiting' or promoted_at is not null;
create index registration_promoted on registration (promoted_at) where promoted_at is not null;

-- The last answer of each person to each question of a pattern; option_id null: a typed text, which is not kept here.
create table pattern_answer (
  pattern_id uuid not null references pattern on delete cascade,
  subject_id uuid references subject on delete set null,
  question text not null,
  option_id text,
  at timestamptz not null default clock_timestamp(),
  unique (pattern_id, subject_id, question)
);
create index pattern_answer_of_question on pattern_answer (pattern_id, question, option_id);
create index pattern_answer_of_subject on pattern_answer (subject_id);

-- Messages with a button that starts the scenario of a pattern.
create table pattern_invitation (
  pattern_id uuid not null references pattern on delete cascade,
  message_id uuid not null references message on delete cascade,
  primary key (pattern_id, message_id)
);
create index pattern_invitation_of_message on pattern_invitation (message_id);
`
