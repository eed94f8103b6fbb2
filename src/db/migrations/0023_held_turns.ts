import { type QueryExecutorProvider, sql } from 'kysely'

/**
 * Counts for how long a provider or the quota has held back a turn (ms): pauses and quiet hours do not make it late
 * (docs/decisions/0089-late-turns.md).
 */
export async function up(db: QueryExecutorProvider): Promise<void> {
  await sql.raw('alter table turn add column held_ms float8 not null default 0').execute(db)
}
