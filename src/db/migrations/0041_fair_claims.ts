import { type QueryExecutorProvider, sql } from 'kysely'

/**
 * What is claimed next is found without reading what waits behind it, and unit by unit (docs/decisions/0028-queues.md).
 */
export async function up(db: QueryExecutorProvider): Promise<void> {
  await sql`set local statement_timeout = 0`.execute(db)
  for (const statements of [runs, queues, lookups]) await sql.raw(statements).execute(db)
}

/** The tables of runs, and what their index by the next instant is called. */
const runs = Object.entries({
  message: 'message_next_wakeup',
  scenario_run: 'scenario_run_due',
  schedule: 'schedule_due_run',
})
  .map(
    ([table, due]) => `
drop index ${table}_unobserved, ${due};
create index ${table}_unobserved on ${table} (unit_id, wake_count, changed_at) where observed_version < version;
create index ${due} on ${table} (unit_id, next_wakeup_at) where next_wakeup_at is not null;
`,
  )
  .join('')

const queues = `
drop index turn_pending_reply;
create index turn_pending_reply on turn (handoff_id, number) where state = 'pending' and handoff_id is not null;
create index callback_delivery_leased on callback_delivery (callback_id, lease_until)
  where outcome = 'waiting' and lease_until is not null;
create index import_next on import (done, id) where state in ('waiting', 'working');
`

const lookups = `
-- Lookups that wait for a turn at their origin, which its units take by turns, each in the order of since. back_at: when the
-- run asks again.
create table lookup_wait (
  run_id uuid not null references scenario_run on delete cascade,
  node text not null,
  unit_id uuid not null,
  origin text not null,
  since timestamptz not null default clock_timestamp(),
  back_at timestamptz not null,
  primary key (run_id, node)
);
create index lookup_wait_of_origin on lookup_wait (origin, since);
`
