import { type QueryExecutorProvider, sql } from 'kysely'

/**
 * A handoff ends when its chat address is no longer the person's, and an occurrence is missed when its schedule changes
 * before it is made (docs/decisions/0102-what-a-change-leaves.md).
 */
export async function up(db: QueryExecutorProvider): Promise<void> {
  await sql
    .raw(`
alter table handoff drop constraint handoff_end_reason_check,
  add constraint handoff_end_reason_check check (end_reason in ('closed', 'assistant', 'silence', 'timeout', 'run_ended',
    'unbound', 'erased'));
alter table occurrence drop constraint occurrence_reason_check,
  add constraint occurrence_reason_check check (reason in ('late', 'overtaken', 'changed'));
`)
    .execute(db)
}
