import { type QueryExecutorProvider, sql } from 'kysely'

/**
 * The messages of a category are listed by unit, the newest first: before Postgres knew how many there are, it read and
 * sorted all of the category.
 */
export async function up(db: QueryExecutorProvider): Promise<void> {
  await sql
    .raw(`
create index message_of_category on message (category_id, unit_id, id);
drop index message_category;
`)
    .execute(db)
}
