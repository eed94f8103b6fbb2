-- The numbers of a unit (docs/design/metrics.md). Finished waves are rolled up by unit and day, in the background.

-- The counts of a finished wave. date: of its end, in the time zone of the unit. sent: deliveries that arrived or may
-- have.
-- Of the first wave alone: reached: people who have such a delivery; read, do_not_remind: those of them who did, so
-- far.
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

-- A message whose number of readers may have changed: written with a read mark, an answer or an opt-out.
create table read_signal (
  id bigint generated always as identity primary key,
  message_id uuid not null
);

-- A unit's day in its time zone. sent, reached, read: the sums of wave_metric. people and what follows it: written when
-- the night is closed; null: not counted. close_tries, close_at: how often that failed, and when it is tried again.
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
  close_tries integer not null default 0,
  close_at timestamptz,
  primary key (unit_id, date)
);
create index day_metric_open on day_metric (date) where closed_at is null;

-- How many people a pattern has invited, and how many went to the end, as they were at counted_at.
create table pattern_metric (
  pattern_id uuid primary key references pattern on delete cascade,
  invited integer not null default 0,
  completed integer not null default 0 check (completed <= invited),
  counted_at timestamptz not null
);

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

-- Counts of all people, at counted_at: they belong to no unit. One row. funnel: {source: {stage: n}}; interests: {tag:
-- n}; alumni: how many; alumni_active: {date: n}, by the UTC date on which they last read, answered or tapped
-- something.
create table people_metric (
  id boolean primary key default true check (id),
  funnel jsonb not null default '{}',
  interests jsonb not null default '{}',
  alumni integer not null default 0,
  alumni_active jsonb not null default '{}',
  counted_at timestamptz
);
insert into people_metric default values;
