/** Recipients' answers to a message, by a tap in the chat or a link in a mail. */
export const answers = `
create table do_not_remind (
  message_id uuid not null references message,
  subject_id uuid not null references subject on delete cascade,
  at timestamptz not null default now(),
  primary key (message_id, subject_id)
);
create index do_not_remind_subject on do_not_remind (subject_id);

-- n and o: what was pressed, as in a tap (index of the message, and of the option or action in it; in a carousel
-- card.action); option_id: the producer's id of it, if any. Repeated presses count once.
create table message_answer (
  message_id uuid not null references message,
  subject_id uuid not null references subject on delete cascade,
  n smallint not null,
  o text not null,
  option_id text,
  channel text not null check (channel in ('chat', 'email')),
  at timestamptz not null default now(),
  primary key (message_id, subject_id, n, o)
);
create index message_answer_subject on message_answer (subject_id);
`
