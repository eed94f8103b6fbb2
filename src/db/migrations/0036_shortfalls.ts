import { type QueryExecutorProvider, sql } from 'kysely'

/**
 * Sends that reached nobody or far too few, so that a person learns of them
 * (docs/decisions/0015-notices-and-tests.md). Everybody who is told of a parked send is told of these.
 */
export async function up(db: QueryExecutorProvider): Promise<void> {
  await sql
    .raw(`
-- shortfall: {people, reached, reasons: [{channel, reason, deliveries}]}, of a wave that ended so.
alter table wave add column shortfall jsonb;
create index wave_shortfall on wave (finished_at) where shortfall is not null;

alter table person
  drop constraint person_author_notices_check,
  alter column author_notices set default '{rejected,approved,parked,failed}';
alter table author_notice drop constraint author_notice_what_check;
update person set author_notices = author_notices || '{failed}' where 'parked' = any(author_notices);
alter table person add constraint person_author_notices_check
  check (author_notices <@ array['rejected', 'approved', 'parked', 'failed']);
alter table author_notice add constraint author_notice_what_check
  check (what in ('rejected', 'approved', 'parked', 'failed'));
`)
    .execute(db)
}
