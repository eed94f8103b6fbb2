import { type QueryExecutorProvider, sql } from 'kysely'

/** Fields of a Lookup's answer that became null, as [{"field", "reason"}]; null: none (docs/api/lookups.md). */
export async function up(db: QueryExecutorProvider): Promise<void> {
  await sql.raw('alter table lookup add column refused jsonb').execute(db)
}
