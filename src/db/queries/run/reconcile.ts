import { sql } from 'kysely'
import { allRunKinds, type RunKind, type RunName } from '../../../domain/run/run-kinds.ts'
import { anyOf } from '../../any-of.ts'
import type { Db } from '../../connect.ts'
import { type RunSummary, summariesOf } from './summary.ts'
import { byKind, tableOf, unionOfKinds } from './union-of-kinds.ts'

/** A run that is late. `wakes`: how often it has been woken since it last observed its row, including this time. */
export type RunToWake = RunSummary & { wakes: number; wedged: boolean }

/** After this many wakes without an observed version, the reconciler asks Temporal for the state of the run. */
export const unansweredWakes = 5

/**
 * Takes up to `limit` runs that are late. Each kind has the same share of them, so that one with many late runs does
 * not keep the others from theirs; what a kind leaves of its share, the others take.
 */
export async function takeRunsToWake(db: Db, limit: number): Promise<RunToWake[]> {
  const share = Math.floor(limit / allRunKinds.length)
  const shares = await Promise.all(allRunKinds.map((kind) => takeRunsOfKind(db, kind, share)))
  const runs = shares.flat()
  for (const [n, { length }] of shares.entries()) {
    if (length === share && runs.length < limit)
      runs.push(...(await takeRunsOfKind(db, allRunKinds[n]!, limit - runs.length)))
  }
  return runs
}

/** Whether the reconciler may wake a run now. */
const mayWake = sql<boolean>`(woken_at is null or woken_at < now() - case
          when wedged_at is not null then interval '1 minute'
          when wake_count >= ${sql.lit(unansweredWakes)} then interval '20 seconds'
          else interval '5 seconds' end)`

/**
 * Takes runs of one kind that are late: a change not observed within 1 s, or an instant missed by 5 s. Returns each at
 * most every 5 s; after `unansweredWakes` every 20 s, because a signal resets Temporal's count of attempts of a failing
 * workflow task; a wedged one every minute. Two reconcilers never take the same one. Beyond the limit, those that were
 * woken least come first, of these what has changed (an answer) before what waits for a moment, and of these one of each
 * unit before the second of any. Reads no more of a unit's than it may take.
 */
async function takeRunsOfKind(db: Db, kind: RunKind, limit: number): Promise<RunToWake[]> {
  const { rows } = await sql<RunToWake>`
    with late as materialized (
      select of_unit.id
      from unit cross join lateral (
        select id, wake_count, changed, row_number() over (order by wake_count, changed desc) as ordinal
        from (
          (select id, wake_count, true as changed from ${tableOf(kind)}
            where unit_id = unit.id and observed_version < version and changed_at < now() - interval '1 second'
              and ${mayWake}
            order by wake_count, changed_at limit ${limit})
          union all
          (select id, wake_count, false from ${tableOf(kind)}
            where unit_id = unit.id and next_wakeup_at < now() - interval '5 seconds' and observed_version >= version
              and ${mayWake}
            order by next_wakeup_at limit ${limit})
        ) as late
      ) as of_unit
      order by wake_count, changed desc, ordinal limit ${limit}
    ), free as (
      select id from ${tableOf(kind)} where id in (select id from late) and ${mayWake} for no key update skip locked
    ), taken as (
      update ${tableOf(kind)} as run
      set woken_at = clock_timestamp(), wake_count = run.wake_count + 1
      where run.id in (select free.id from free)
      returning run.id, run.wake_count as wakes, run.wedged_at is not null as wedged
    )
    select summary.*, taken.wakes, taken.wedged from taken join (${summariesOf[kind]}) as summary using (id)
  `.execute(db)
  return rows
}

/**
 * Runs that are a minute or more late, wedged runs, and those that the reconciler restarted within a day because they
 * were wedged; for health and metrics.
 */
export type RunHealth = { overdue: number; wedged: number; restarted: number; oldestSeconds: number }

/** Late runs that are counted, of a unit that were woken as often: a count of very many stays cheap. */
const countedTogether = 1_000

/**
 * How far the runs of each kind are behind their rows, by Postgres' clock. Of those of a unit that were woken as often, as
 * of those whose time has come, at most 1,000 are counted.
 */
export async function readRunHealth(db: Db): Promise<Record<RunKind, RunHealth>> {
  const { rows } = await sql<
    RunHealth & { kind: RunKind }
  >`${unionOfKinds((kind) => healthOf(kind))}`.execute(db)
  const healths = new Map(rows.map(({ kind, ...health }) => [kind, health]))
  return byKind((kind) => healths.get(kind)!)
}

/**
 * Steps through the index of what no run has seen, from one unit and number of wakes to the next: of each, the oldest is
 * found at once.
 */
function healthOf(kind: RunKind) {
  const runs = tableOf(kind)
  const unseen = sql`observed_version < version`
  const first = (than: ReturnType<typeof sql>) => sql`
    select unit_id, wake_count from ${runs} where ${unseen} ${than} order by unit_id, wake_count limit 1`
  return sql`(
    with recursive woken (unit_id, wake_count) as (
      (${first(sql``)})
      union all
      select next.* from woken cross join lateral (${first(
        sql`and (unit_id, wake_count) > (woken.unit_id, woken.wake_count)`,
      )}) as next
    ), late as (
      select run.* from woken cross join lateral (
        select changed_at as since, wedged_at from ${runs}
        where ${unseen} and unit_id = woken.unit_id and wake_count = woken.wake_count
        order by changed_at limit ${sql.lit(countedTogether)}
      ) as run
      union all
      select missed.* from unit cross join lateral (
        select next_wakeup_at, wedged_at from ${runs}
        where unit_id = unit.id and next_wakeup_at < now() and observed_version = version
        order by next_wakeup_at limit ${sql.lit(countedTogether)}
      ) as missed
    )
    select ${sql.lit(kind)} as kind,
      count(*) filter (where since < now() - interval '1 minute') as overdue,
      count(*) filter (where wedged_at is not null) as wedged,
      (select count(*) from ${runs} where run_restarted_at > now() - interval '1 day') as restarted,
      coalesce(extract(epoch from now() - min(since))::float8, 0) as "oldestSeconds"
    from late)`
}

/**
 * Makes all open runs of these kinds due now: for use after Temporal's store was lost (docs/design/rows-and-runs.md).
 * Returns their numbers. Skips drafts of messages, which have no run.
 */
export async function makeRunsDue(
  db: Db,
  kinds: readonly RunKind[] = allRunKinds,
): Promise<Record<RunKind, number>> {
  const counts = byKind(() => 0)
  for (const kind of kinds) counts[kind] = await makeDue(db, kind)
  return counts
}

/** The same for these runs, after they were ended in Temporal. Returns how many of them are open. */
export async function makeTheseRunsDue(db: Db, runs: readonly RunName[]): Promise<number> {
  let count = 0
  for (const kind of allRunKinds) {
    const ids = runs.filter((run) => run.kind === kind).map(({ id }) => id)
    if (ids.length > 0) count += await makeDue(db, kind, ids)
  }
  return count
}

async function makeDue(db: Db, kind: RunKind, ids?: readonly string[]): Promise<number> {
  const { numAffectedRows } = await sql`
    update ${tableOf(kind)}
    set next_wakeup_at = now() - interval '5 seconds', woken_at = null, wake_count = 0
    where closed_at is null and state <> 'draft' ${ids ? sql`and id = ${anyOf(ids)}` : sql``}`.execute(db)
  return Number(numAffectedRows)
}
