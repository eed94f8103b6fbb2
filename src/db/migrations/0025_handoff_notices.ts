import { type QueryExecutorProvider, sql } from 'kysely'

/** Whether a person is mailed about the handoffs of their units (docs/decisions/0094-answering-in-a-browser.md). */
export async function up(db: QueryExecutorProvider): Promise<void> {
  await sql.raw('alter table person add column handoff_notices boolean not null default true').execute(db)
}
