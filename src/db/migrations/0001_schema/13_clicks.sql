-- Tracked links (docs/design/links.md).

-- How often a link of a message was followed. n and o: the index of the message among the content's messages, and of
-- the action in it; in a carousel card.action. people: of a link in mails, by how many people.
-- Half of each page stays free: each click updates a row, as a HOT update.
create table click_count (
  message_id uuid not null references message,
  n smallint not null,
  o text not null,
  channel text not null check (channel in ('chat', 'email')),
  locale text not null check (locale in ('zh-TW', 'en')),
  clicks bigint not null,
  people integer not null default 0,
  primary key (message_id, n, o, channel, locale)
) with (fillfactor = 50);

-- A recipient who followed a link of a mail, once for each link, so that they are counted once.
create table mail_click (
  message_id uuid not null references message,
  subject_id uuid not null references subject on delete cascade,
  n smallint not null,
  o text not null,
  at timestamptz not null default now(),
  primary key (message_id, subject_id, n, o)
);
create index mail_click_subject on mail_click (subject_id);
create index mail_click_at on mail_click (at);
