import { type QueryExecutorProvider, sql } from 'kysely'

/**
 * The right of producer keys to write groups, and notices about small audiences (docs/decisions/0039-small-audiences.md).
 * Keys that exist may write groups already, and keep that.
 */
export async function up(db: QueryExecutorProvider): Promise<void> {
  await sql.raw(smallAudiences).execute(db)
}

const smallAudiences = `
alter table producer_key add column group_writing boolean not null default true;
alter table producer_key alter column group_writing set default false;

alter table notice drop constraint notice_reason_check;
alter table notice add constraint notice_reason_check
  check (reason in ('submitted', 'check_failed', 'quota', 'drift', 'small'));
`
