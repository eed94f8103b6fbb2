import { type QueryExecutorProvider, sql } from 'kysely'

/** Links that count who follows them (docs/decisions/0096-tracked-links.md). */
export async function up(db: QueryExecutorProvider): Promise<void> {
  await sql
    .raw(`
    -- links: where the links of its messages lead: direct, straight to their URL; tracked, through Carillon.
    alter table category add column links text not null default 'direct' check (links in ('direct', 'tracked'));
    -- tracked: whether the links of the compiled content are; written at submit.
    alter table message_content add column tracked boolean not null default false;

    -- How often a link of a message was followed. n and o: the index of the message among the content's messages, and of
    -- the action in it; in a carousel card.action. people: of a link in mails, by how many people.
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

    -- Who followed a link of a mail, once each, so that they are counted once.
    create table mail_click (
      message_id uuid not null references message,
      subject_id uuid not null references subject on delete cascade,
      n smallint not null,
      o text not null,
      at timestamptz not null default now(),
      primary key (message_id, subject_id, n, o)
    );
    create index mail_click_subject on mail_click (subject_id);
    create index mail_click_at on mail_click (at);`)
    .execute(db)
}
