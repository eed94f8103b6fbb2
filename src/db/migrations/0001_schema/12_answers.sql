-- What recipients do with a message: by a tap in the chat, a link in a mail, or in their inbox.

-- A recipient who wants no reminder of a message.
create table do_not_remind (
  message_id uuid not null references message,
  subject_id uuid not null references subject on delete cascade,
  at timestamptz not null default now(),
  primary key (message_id, subject_id)
);
create index do_not_remind_subject on do_not_remind (subject_id);

-- The last answer of a recipient to a question of a message.
-- question: what the option answers (src/domain/content/option.ts). n and o: what was pressed, as in a tap (index of
-- the message among the content's messages, and of the option or action in it; in a carousel card.action).
-- option_id: the producer's id of the option; otherwise its place, counted from 1. data: the producer's data of a
-- postback.
create table message_answer (
  message_id uuid not null references message,
  subject_id uuid not null references subject on delete cascade,
  question text not null,
  n smallint not null,
  o text not null,
  option_id text not null,
  data jsonb,
  channel text not null check (channel in ('chat', 'email')),
  at timestamptz not null default now()
);
create index message_answer_subject on message_answer (subject_id);
-- After the index of subjects: a message's answer of one person is looked for by this key. While a table is empty, of
-- indexes that cost the same Postgres takes the newest.
alter table message_answer add primary key (message_id, subject_id, question);
create index message_answer_at on message_answer (at);

-- A message that a recipient marked as read in the inbox: a wave and a subject.
create table inbox_read (
  subject_id uuid not null references subject on delete cascade,
  wave_id uuid not null references wave,
  read_at timestamptz not null default now(),
  primary key (subject_id, wave_id)
);
create index inbox_read_wave on inbox_read (wave_id);
