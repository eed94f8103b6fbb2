import { type QueryExecutorProvider, sql } from 'kysely'

/** Marks of what the runs of patterns have yet to read, by which no clock decides (docs/decisions/0101-places-and-numbers.md). */
export async function up(db: QueryExecutorProvider): Promise<void> {
  await sql.raw(unseenPlaces).execute(db)
}

const unseenPlaces = `
-- wake_due: the run of somebody who got a place is to be woken. promoted_at stays until the run has moved on by that place.
alter table registration add column wake_due boolean not null default false
  check (not wake_due or promoted_at is not null);
update registration set wake_due = true where promoted_at is not null;
create index registration_wake_due on registration (run_id) where wake_due;
drop index registration_promoted;

-- retiming: how often the deadline was changed. retimed_upto: the last run, in the order of their ids, that was woken to
-- read the changed one.
alter table pattern add column retiming integer not null default 0, add column retimed_upto uuid;
`
