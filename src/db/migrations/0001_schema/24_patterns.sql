-- Patterns: registrations, surveys and answers to invitations, each of which generates a scenario
-- (docs/design/patterns.md).

-- A pattern. questions: as they are asked, with the one that decides about taking part (attendance: its id; null: there
-- is none). calendar: {start, end?, title?, location?}, what people with a place can add to their calendars, as it was
-- given; null: none. retimed_at: when the deadline was changed, until the open runs know it; retiming: how often;
-- retimed_upto: the last run, in the order of their ids, that was woken to read the changed one.
-- kept: counts of what retention has deleted.
create table pattern (
  id uuid primary key default uuidv7(),
  unit_id uuid not null references unit,
  scenario_id uuid not null unique references scenario,
  type text not null check (type in ('registration', 'survey', 'rsvp')),
  title jsonb not null,
  description jsonb,
  questions jsonb not null,
  attendance text,
  capacity integer check (capacity > 0),
  waiting_list boolean not null,
  calendar jsonb,
  deadline timestamptz not null,
  retimed_at timestamptz,
  retiming integer not null default 0,
  retimed_upto uuid,
  kept jsonb not null default '{}',
  created_by text not null,
  created_at timestamptz not null default clock_timestamp()
);
create index pattern_of_unit on pattern (unit_id, id);
alter table composition add foreign key (pattern_id) references pattern on delete cascade;
create index pattern_retimed on pattern (retimed_at) where retimed_at is not null;

-- A person who takes part, or asked to, written under the lock of the pattern. place: the order in which they asked.
-- subject_id null: the person was erased, or the row is past retention. run_id: the run by which they asked.
-- promoted_at: when a person who waited got a place, until their run has moved on by it; wake_due: that run is to be
-- woken.
-- at, changes: when the state changed last, and how often it has: the sequence of their calendar entry.
create table registration (
  pattern_id uuid not null references pattern on delete cascade,
  place integer not null,
  subject_id uuid references subject on delete set null,
  run_id uuid references scenario_run,
  state text not null check (state in ('registered', 'waitlisted', 'withdrawn', 'not_admitted')),
  promoted_at timestamptz,
  wake_due boolean not null default false check (not wake_due or promoted_at is not null),
  changes integer not null default 0,
  at timestamptz not null default clock_timestamp(),
  primary key (pattern_id, place),
  unique (pattern_id, subject_id)
);
-- As of deliveries: no plan may depend on which patterns were sampled (docs/design/speed.md, "Plans and keys").
alter table registration alter column pattern_id set statistics 0;
create index registration_of_subject on registration (subject_id);
create index registration_unseen on registration (run_id) where state = 'waitlisted' or promoted_at is not null;
create index registration_wake_due on registration (run_id) where wake_due;
-- With a condition, so that it never serves a look-up of one person: while the table is empty, one index of a pattern
-- costs as much as another, and a plan of then may be kept.
create index registration_placed on registration (pattern_id, state, place) where state in ('registered', 'waitlisted');

-- The last answer of a person to a question of a pattern: an option, or a typed text (option_id null), which goes with
-- the person's name.
create table pattern_answer (
  pattern_id uuid not null references pattern on delete cascade,
  subject_id uuid references subject on delete set null,
  question text not null,
  option_id text,
  text text check (text is null or subject_id is not null),
  at timestamptz not null default clock_timestamp(),
  unique (pattern_id, subject_id, question)
);
-- As of registration; the index of options has a condition for the same reason.
alter table pattern_answer alter column pattern_id set statistics 0;
create index pattern_answer_of_subject on pattern_answer (subject_id);
create index pattern_answer_of_option on pattern_answer (pattern_id, question, option_id) where option_id is not null;

-- A message with a button that starts the scenario of a pattern.
create table pattern_invitation (
  pattern_id uuid not null references pattern on delete cascade,
  message_id uuid not null references message on delete cascade,
  primary key (pattern_id, message_id)
);
create index pattern_invitation_of_message on pattern_invitation (message_id);
