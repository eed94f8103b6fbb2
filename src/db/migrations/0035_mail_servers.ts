import { type QueryExecutorProvider, sql } from 'kysely'

/**
 * What mail servers lately said of recipients, so that a server that knows nobody is not believed
 * (docs/decisions/0037-suppression.md). The constraints on problems take one more.
 */
export async function up(db: QueryExecutorProvider): Promise<void> {
  await sql
    .raw(`
-- host: its host name. why: by its answers during sends, or by bounces that were reported.
-- recent: the newest recipients, the newest last: when one was said to be unknown; null: taken.
-- doubted_since: since when it is not believed, with the next probe at probe_at. probed_at: of bounces, since when a
-- probe that was taken has not bounced. believed: a person said that its bounces are right.
create table mail_server (
  host text not null,
  why text not null check (why in ('bounce', 'refused')),
  recent timestamptz[] not null default '{}',
  doubted_since timestamptz,
  probe_at timestamptz,
  probed_at timestamptz,
  believed boolean not null default false,
  primary key (host, why)
);

-- server: which one said so; null: suppressed before this was kept, or by a complaint.
alter table suppression add column server text;
create index suppression_since on suppression (since);

-- doubted_at: when the server's refusals were first doubted; believed: a person said that they are right.
alter table wave
  add column doubted_at timestamptz,
  add column believed boolean not null default false,
  drop constraint wave_parked_check,
  add constraint wave_parked_check check (parked in ('provider', 'provider_quota', 'quota', 'unknown_recipients'));
alter table message
  drop constraint message_problem_check,
  add constraint message_problem_check
    check (problem in ('provider', 'provider_quota', 'quota', 'unknown_recipients', 'internal'));
alter table scenario_run
  drop constraint scenario_run_problem_check,
  add constraint scenario_run_problem_check
    check (problem in ('provider', 'provider_quota', 'quota', 'unknown_recipients', 'internal'));
alter table schedule
  drop constraint schedule_problem_check,
  add constraint schedule_problem_check
    check (problem in ('provider', 'provider_quota', 'quota', 'unknown_recipients', 'internal'));
`)
    .execute(db)
}
