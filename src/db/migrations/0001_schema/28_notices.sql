-- Mails to staff (docs/design/notices-and-pages.md): written with the change that they are about, sent afterwards.

-- A mail to an approver: about a message, or a version of a binding, template or scenario, that waits for approval, or
-- about an occurrence of a schedule that made nothing. version: of the one it is about, so that each review is notified
-- once; of the schedule. second: a repeat, sent once half of the time has passed in which a decision still makes a
-- difference. state obsolete: decided before the mail was sent.
create table notice (
  id uuid primary key default uuidv7(),
  message_id uuid references message,
  binding_id uuid references event_binding on delete cascade,
  template_id uuid references template on delete cascade,
  scenario_id uuid references scenario on delete cascade,
  schedule_id uuid references schedule on delete cascade,
  version integer not null,
  person_id uuid not null references person on delete cascade,
  reason text not null check (reason in ('submitted', 'check_failed', 'quota', 'drift', 'small', 'refused', 'failed',
    'switched_off')),
  second boolean not null default false,
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'failed', 'obsolete')),
  tries integer not null default 0,
  next_try_at timestamptz not null default clock_timestamp(),
  code text,
  created_at timestamptz not null default clock_timestamp(),
  unique (message_id, version, person_id, second),
  unique (binding_id, version, person_id),
  unique (template_id, version, person_id),
  unique (scenario_id, version, person_id),
  unique (schedule_id, version, person_id),
  constraint notice_about check (num_nonnulls(message_id, binding_id, template_id, scenario_id, schedule_id) = 1)
);
create index notice_due on notice (next_try_at) where state = 'waiting';
create index notice_failed on notice (id) where state = 'failed';

-- A mail to an author of a message, of a version of a scenario, or of a start of runs. version: of the message or
-- scenario, so that each change is notified once; 0 for a start. state obsolete: no longer true before the mail was sent.
create table author_notice (
  id uuid primary key default uuidv7(),
  message_id uuid references message,
  start_id uuid references scenario_start on delete cascade,
  scenario_id uuid references scenario on delete cascade,
  version integer not null,
  person_id uuid not null references person on delete cascade,
  what text not null check (what in ('rejected', 'approved', 'parked', 'failed')),
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'failed', 'obsolete')),
  tries integer not null default 0,
  next_try_at timestamptz not null default clock_timestamp(),
  code text,
  created_at timestamptz not null default clock_timestamp(),
  unique (message_id, version, what, person_id),
  unique (scenario_id, version, what, person_id),
  check (num_nonnulls(message_id, start_id, scenario_id) = 1)
);
create index author_notice_due on author_notice (next_try_at) where state = 'waiting';
create index author_notice_failed on author_notice (id) where state = 'failed';
create unique index author_notice_of_start on author_notice (start_id, what, person_id) where start_id is not null;

-- A mail to a person of the unit when a handoff opens.
create table handoff_notice (
  id uuid primary key default uuidv7(),
  handoff_id uuid not null references handoff on delete cascade,
  person_id uuid not null references person on delete cascade,
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'failed', 'obsolete')),
  tries integer not null default 0,
  next_try_at timestamptz not null default clock_timestamp(),
  code text,
  created_at timestamptz not null default clock_timestamp(),
  unique (handoff_id, person_id)
);
create index handoff_notice_due on handoff_notice (next_try_at) where state = 'waiting';
create index handoff_notice_failed on handoff_notice (id) where state = 'failed';
