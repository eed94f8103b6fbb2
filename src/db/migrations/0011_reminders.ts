import { type QueryExecutorProvider, sql } from 'kysely'

/**
 * Reminders (docs/decisions/0054-reminders.md). What was submitted before is reminded of as it was frozen, and to all.
 */
export async function up(db: QueryExecutorProvider): Promise<void> {
  await sql.raw(reminders).execute(db)
}

const reminders = `
-- remind_to: whom the reminder goes to. compiled_reminder: what it sends; null: what the message sends.
alter table message add column remind_to text not null default 'all' check (remind_to in ('all', 'unanswered'));
alter table message_content add column compiled_reminder jsonb;
`
