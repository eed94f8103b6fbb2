import { type QueryExecutorProvider, sql } from 'kysely'

/**
 * How units appear to recipients (docs/decisions/0061-how-units-appear.md), and what the chat answers a tap
 * (docs/decisions/0062-words-back-to-a-tap.md).
 */
export async function up(db: QueryExecutorProvider): Promise<void> {
  await sql
    .raw(`
    -- display_name: {zh-TW, en?}, as recipients read it; null: the name of the unit. reply_to: where answers to its mails
    -- go. sender: in the chat, {name: {zh-TW, en?}, iconUrl}; null: the account itself.
    alter table unit
      add column display_name jsonb,
      add column reply_to text,
      add column sender jsonb;
    create unique index unit_display_name on unit ((display_name ->> 'zh-TW'));
    -- acknowledgement: what the chat answers a tap, {zh-TW, en?} with {label}; null: nothing.
    alter table category add column acknowledgement jsonb;
    update category set acknowledgement = '{"zh-TW": "已收到：{label}", "en": "Got it: {label}"}';`)
    .execute(db)
}
