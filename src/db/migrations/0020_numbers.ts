import { type QueryExecutorProvider, sql } from 'kysely'

/**
 * The numbers of a unit (docs/decisions/0086-rolling-up.md): finished waves are rolled up by unit and day, in the
 * background. Waves that finished before are rolled up by the first worker that starts.
 */
export async function up(db: QueryExecutorProvider): Promise<void> {
  for (const statements of [waves, days, people, neighbours]) await sql.raw(statements).execute(db)
}

const waves = `
set local statement_timeout = 0;
-- rolled_up_at: when its counts were added to wave_metric and contact; null: they are yet to be.
alter table wave add column rolled_up_at timestamptz;
create index wave_to_roll_up on wave (finished_at, id)
  where finished_at is not null and rolled_up_at is null and message_id is not null;

-- What a finished wave came to. date: of its end, in the time zone of the unit. sent: deliveries that arrived or may have;
-- of the first wave alone: reached: people who have such a one; read, do_not_remind: those of them who did, so far.
-- reminded: of a first wave, whether its message has a reminder.
create table wave_metric (
  wave_id uuid primary key references wave,
  message_id uuid not null references message,
  unit_id uuid not null references unit,
  number smallint not null,
  date date not null,
  sent integer not null,
  reached integer not null,
  read integer not null default 0 check (read <= reached),
  do_not_remind integer not null default 0,
  reminded boolean not null,
  unique (message_id, number)
);
create index wave_metric_day on wave_metric (unit_id, date);
create index wave_metric_reminded on wave_metric (unit_id, date, wave_id) where reminded;

-- Messages whose number of readers may have changed: written with a read mark, an answer or an opt-out.
create table read_signal (
  id bigint generated always as identity primary key,
  message_id uuid not null
);
`

const days = `
-- A unit's day in its time zone. sent, reached, read: the sums of wave_metric. The others are written when the night is
-- closed; null: not counted.
create table day_metric (
  unit_id uuid not null references unit,
  date date not null,
  sent integer not null default 0,
  reached integer not null default 0,
  read integer not null default 0,
  people integer,
  blocked integer,
  unsubscribes integer,
  handoffs integer,
  answers integer,
  completed integer,
  closed_at timestamptz,
  primary key (unit_id, date)
);
create index day_metric_open on day_metric (date) where closed_at is null;
`

const people = `
-- When a unit first and last reached a person with a message: dates in its time zone.
create table contact (
  unit_id uuid not null references unit,
  subject_id uuid not null references subject on delete cascade,
  first_on date not null,
  last_on date not null,
  primary key (unit_id, subject_id)
);
create index contact_subject on contact (subject_id);

-- The people of contact by last_on. Those who are erased stay counted.
create table contact_day (
  unit_id uuid not null references unit,
  date date not null,
  people integer not null,
  primary key (unit_id, date)
);

-- Counts of all people, at counted_at: they belong to no unit. funnel: {source: {stage: n}}; interests: {tag: n}; alumni:
-- how many; alumni_active: {date: n}, by the UTC date on which they last read, answered or tapped something.
create table people_metric (
  id boolean primary key default true check (id),
  funnel jsonb not null default '{}',
  interests jsonb not null default '{}',
  alumni integer not null default 0,
  alumni_active jsonb not null default '{}',
  counted_at timestamptz
);
insert into people_metric default values;
`

const neighbours = `
-- changed_at: when the choice was made; null for choices of before.
alter table preference add column changed_at timestamptz;
alter table preference alter column changed_at set default clock_timestamp();
create index preference_off on preference (changed_at) where not enabled;
create index topic_unsubscribe_topic on topic_unsubscribe (topic_id, at);
create index address_blocked on address (blocked_at) where blocked_at is not null;
create index message_answer_at on message_answer (at);
create index scenario_answer_at on scenario_answer (at);
create index scenario_run_started on scenario_run (unit_id, created_at);
create index scenario_run_done on scenario_run (closed_at) where state = 'done';
`
