import { type QueryExecutorProvider, sql } from 'kysely'

/** Lookup endpoints that a system administrator trusts with the uids of people: they get them beside the subject id. */
export async function up(db: QueryExecutorProvider): Promise<void> {
  await sql.raw('alter table lookup_endpoint add column send_uid boolean not null default false').execute(db)
}
