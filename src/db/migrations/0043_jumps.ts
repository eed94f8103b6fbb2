import { type QueryExecutorProvider, sql } from 'kysely'

/**
 * How scenarios lead to one another, through which of them a conversation has gone unheard, and what a person was pushed
 * (docs/decisions/0092-who-began.md). `jumps` null: of a version from before, whose content says it.
 */
export async function up(db: QueryExecutorProvider): Promise<void> {
  await sql.raw(jumps).execute(db)
}

const jumps = `
alter table scenario_version add column jumps jsonb;

-- The scenarios of a chain of jumps since the person last said something, this one last; empty: they have said something.
alter table scenario_run add column jumped_through uuid[] not null default '{}';

create index turn_pushed on turn (subject_id, first_try_at) where by = 'push' and unit_pushes + pool_pushes > 0;
`
