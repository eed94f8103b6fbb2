import { type QueryExecutorProvider, sql } from 'kysely'

/**
 * What each unit has used of its steps of rendering (docs/decisions/0010-templates.md). Unlogged, as the other rates: after a
 * crash, a minute of them begins anew.
 */
export async function up(db: QueryExecutorProvider): Promise<void> {
  await sql
    .raw(`
create unlogged table render_steps (
  unit_id uuid primary key,
  steps double precision not null,
  counted_at timestamptz not null
)`)
    .execute(db)
}
