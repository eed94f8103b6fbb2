import { type QueryExecutorProvider, sql } from 'kysely'

/**
 * The right of producer keys to reply in handoffs, which a key that could do so before keeps. words: of a reply by a key, the
 * digest of its words as people compare them: the same words to many people are a message (docs/design/conversations.md).
 */
export async function up(db: QueryExecutorProvider): Promise<void> {
  await sql
    .raw(`
set local statement_timeout = 0;
alter table producer_key add column handoff_reply boolean not null default false;
update producer_key set handoff_reply = individual_targeting;
alter table handoff_message add column words bytea;
create index handoff_message_words on handoff_message (words, at) where words is not null;
`)
    .execute(db)
}
