import { type QueryExecutorProvider, sql } from 'kysely'

/**
 * Where the boxes and arrows of a version stand in its picture, found by the digest of their sizes
 * (docs/decisions/0074-activating-scenarios.md).
 */
export async function up(db: QueryExecutorProvider): Promise<void> {
  await sql.raw(layouts).execute(db)
}

const layouts = `
create table scenario_layout (
  scenario_id uuid not null,
  version integer not null,
  sizes_hash bytea not null,
  layout jsonb not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (scenario_id, version, sizes_hash),
  foreign key (scenario_id, version) references scenario_version on delete cascade
);
`
