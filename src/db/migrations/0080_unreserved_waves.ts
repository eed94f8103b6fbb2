import { type QueryExecutorProvider, sql } from 'kysely'

/**
 * unreserved: the deliveries of the wave are written, and their quota is not reserved yet: none of its batches can be
 * claimed.
 */
export async function up(db: QueryExecutorProvider): Promise<void> {
  await sql`alter table wave add column unreserved boolean not null default false`.execute(db)
}
