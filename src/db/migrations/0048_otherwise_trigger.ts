import { type QueryExecutorProvider, sql } from 'kysely'

/** A scenario may answer what nothing else takes: the trigger `otherwise`. */
export async function up(db: QueryExecutorProvider): Promise<void> {
  await sql
    .raw(`
alter table scenario_trigger drop constraint scenario_trigger_trigger_check;
alter table scenario_trigger add constraint scenario_trigger_trigger_check
  check (trigger = 'follow' or trigger = 'otherwise' or trigger like 'keyword:%');
`)
    .execute(db)
}
