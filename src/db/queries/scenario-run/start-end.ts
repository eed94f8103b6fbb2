import { sql } from 'kysely'
import type { FailedDeliveries, Shortfall } from '../../../domain/message/shortfall.ts'
import type { Db, Trx } from '../../connect.ts'
import { insertStartNotices } from '../notice/author-notice.ts'

/** Seconds from a start to the first count of its runs. */
const firstSeconds = 10

/** Has the runs of a start counted until its outcome is known. */
export async function watchStart(trx: Trx, id: string): Promise<void> {
  await sql`
    update scenario_start set watch_at = clock_timestamp() + make_interval(secs => ${firstSeconds}) where id = ${id}`.execute(
    trx,
  )
}

/** A start whose runs are counted. `unitId`: of its scenario. */
export type WatchedStart = { id: string; scenarioId: string; unitId: string }

/** Takes the start that is due to be counted, to be processed in this transaction. */
export async function takeWatchedStart(trx: Trx): Promise<WatchedStart | undefined> {
  const { rows } = await sql<WatchedStart>`
    select start.id, scenario_id as "scenarioId", unit_id as "unitId"
    from scenario_start as start join scenario on scenario.id = start.scenario_id
    where watch_at <= clock_timestamp() order by watch_at limit 1
    for no key update of start skip locked`.execute(trx)
  return rows[0]
}

/**
 * The people of a start: those whose conversation failed, or to whom nothing could be said; those who were told something (`reached`);
 * and those of whom neither is known. `open`: whether a conversation can still fail.
 */
export type CountedRuns = { reached: number; failed: number; undecided: number; open: boolean }

/** Whom a run may not write to: such people are left out, as those whom a message skips. */
const leftOut = ['noConsent', 'noAddress', 'preferenceOff', 'blocked', 'frequency', 'pushes_spent']

/** The runs of a start, with what became of each. */
const outcomes = (startId: string) => sql`(
    select run.id, run.closed_at, said, coalesce(failure.reason, case when run.state = 'failed' then run.reason end) as reason,
      failure.channel, coalesce(run.state = 'failed' and (said or run.reason <> all(${leftOut}::text[]))
        or not said and failure.reason is not null, false) as failed
    from scenario_run as run
      cross join lateral (
        select exists (select from turn where turn.run_id = run.id and turn.state in ('sent', 'unknown')) as said) as spoken
      left join lateral (
        select coalesce(turn.reason, 'rejected') as reason, turn.channel from turn
        where turn.run_id = run.id and turn.state = 'failed' order by number desc limit 1) as failure on true
    where run.start_id = ${startId}) as outcome`

export async function countRuns(trx: Trx, startId: string): Promise<CountedRuns> {
  const { rows } = await sql<CountedRuns>`
    select count(*) filter (where said and not failed) as reached, count(*) filter (where failed) as failed,
      count(*) filter (where closed_at is null and not said and not failed) as undecided,
      coalesce(bool_or(closed_at is null), false) as open
    from ${outcomes(startId)}`.execute(trx)
  return rows[0]!
}

/** Why runs of a start failed, the commonest reason first. What nobody tried to say counts for the first channel. */
export async function failuresOf(trx: Trx, startId: string): Promise<FailedDeliveries[]> {
  const { rows } = await sql<FailedDeliveries>`
    select coalesce(channel, (
        select category.channel_plan -> 'channels' ->> 0
        from scenario_start as start
          join scenario_version as version on version.scenario_id = start.scenario_id
          join category on category.id = version.category_id
        where start.id = ${startId} order by version.version desc limit 1)) as channel,
      coalesce(reason, 'rejected') as reason, count(*)::int as deliveries
    from ${outcomes(startId)} where failed group by 1, 2 order by 3 desc, 1, 2`.execute(trx)
  return rows
}

/** Ends the watch of a start whose outcome is known; of one that failed with too many, people are told. */
export async function endStart(trx: Trx, id: string, shortfall: Shortfall | null): Promise<void> {
  await sql`
    update scenario_start set watch_at = null, ended_at = clock_timestamp(),
      shortfall = ${shortfall && JSON.stringify(shortfall)}::jsonb
    where id = ${id}`.execute(trx)
  if (shortfall) await insertStartNotices(trx, id)
}

/** Counts a start again later: the older it is, the less often, at least once a day. */
export async function watchOn(trx: Trx, id: string): Promise<void> {
  await sql`
    update scenario_start set watch_at = clock_timestamp() + least(interval '1 day',
      greatest(make_interval(secs => ${firstSeconds}), (clock_timestamp() - created_at) / 10))
    where id = ${id}`.execute(trx)
}

/** Counts a start again later, because it could not be counted. */
export async function deferStart(db: Db, id: string): Promise<void> {
  await sql`
    update scenario_start set watch_at = clock_timestamp() + interval '10 minutes' where id = ${id}`.execute(
    db,
  )
}

/** A start that failed with too many. */
export type ShortStart = Shortfall & { startedAt: Date }

/** The newest of a scenario, of the last 30 days; null: there is none. */
export async function findShortStart(db: Db, scenarioId: string): Promise<ShortStart | null> {
  const { rows } = await sql<ShortStart>`
    select created_at as "startedAt", (shortfall ->> 'people')::int as people, (shortfall ->> 'reached')::int as reached,
      shortfall -> 'reasons' as reasons
    from scenario_start
    where scenario_id = ${scenarioId} and shortfall is not null and ended_at > clock_timestamp() - interval '30 days'
    order by ended_at desc limit 1`.execute(db)
  return rows[0] ?? null
}
