import { type QueryExecutorProvider, sql } from 'kysely'

/** Why a step took its edge for errors, as the run decided it: a code, and null for all other steps and for older ones. */
export async function up(db: QueryExecutorProvider): Promise<void> {
  await sql.raw('alter table scenario_step add column reason text').execute(db)
}
