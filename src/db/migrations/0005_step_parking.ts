import { type Kysely, sql } from 'kysely'

/**
 * A message whose step keeps failing inside Carillon (docs/decisions/0038-one-caller-and-the-others.md): its failures
 * since the last step that succeeded, and until when its run waits.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await sql
    .raw(`
    alter table message
      add column step_failures integer not null default 0,
      add column step_parked_at timestamptz,
      drop constraint message_problem_check,
      add constraint message_problem_check check (problem in ('provider', 'provider_quota', 'quota', 'internal'))`)
    .execute(db)
}
