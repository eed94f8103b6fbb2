import { type QueryExecutorProvider, sql } from 'kysely'

/** A start of 20 conversations or more is looked after as a send is (docs/design/notices-and-pages.md). */
export async function up(db: QueryExecutorProvider): Promise<void> {
  await sql
    .raw(`
-- watch_at: when its runs are counted next; null: it is small, or its outcome is known. ended_at: since when it is.
-- shortfall: {people, reached, reasons: [{channel, reason, deliveries}]}, of one that failed with too many.
alter table scenario_start add column watch_at timestamptz, add column ended_at timestamptz, add column shortfall jsonb;
create index scenario_start_watched on scenario_start (watch_at) where watch_at is not null;
create index scenario_start_short on scenario_start (ended_at) where shortfall is not null;
create index scenario_start_short_of on scenario_start (scenario_id, ended_at) where shortfall is not null;

-- Of a message, or of a start; its version is 0 then.
alter table author_notice alter column message_id drop not null,
  add column start_id uuid references scenario_start on delete cascade,
  add check ((message_id is null) <> (start_id is null));
create unique index author_notice_of_start on author_notice (start_id, what, person_id) where start_id is not null;
`)
    .execute(db)
}
