import { type QueryExecutorProvider, sql } from 'kysely'

/**
 * Categories keep who wrote what the chat answers a tap: only words that somebody answers for leave
 * (docs/decisions/0115-who-answers-for-a-text.md). Of those that were written before, whoever changed the category last.
 */
export async function up(db: QueryExecutorProvider): Promise<void> {
  await sql
    .raw(`
alter table category add column acknowledgement_by text;
update category set acknowledgement_by = coalesce((
  select actor from audit where object_kind = 'category' and object_id = category.id order by audit.id desc limit 1
), 'system:migrate') where acknowledgement is not null;
`)
    .execute(db)
}
