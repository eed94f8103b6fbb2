import { type QueryExecutorProvider, sql } from 'kysely'

/**
 * When the person of a run last said something, to it or to one that led to it (docs/decisions/0092-who-began.md).
 */
export async function up(db: QueryExecutorProvider): Promise<void> {
  await sql.raw('alter table scenario_run add column spoke_at timestamptz').execute(db)
}
