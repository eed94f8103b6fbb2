import { sql } from 'kysely'
import type { MessageState, Origin, Problem } from '../../../contract/enums.ts'
import { anyOf } from '../../any-of.ts'
import type { Db } from '../../connect.ts'

/** What the Temporal UI shows of a run before its first step. Contains no personal data: a unit is an organisation. */
export type RunSummary = {
  id: string
  state: MessageState
  unitId: string
  unitName: string
  categoryId: string
  origin: Origin
  problem: Problem | null
  sendAt: Date | null
  /** Recipients, as counted last; null for a message that was never submitted. */
  people: number | null
}

/** A run that is late. `wakes`: how often it has been woken since it last observed its row, including this time. */
export type RunToWake = RunSummary & { wakes: number; wedged: boolean }

/** Undefined if the message does not exist. */
export async function findRunSummary(db: Db, messageId: string): Promise<RunSummary | undefined> {
  return db
    .selectFrom('message as m')
    .innerJoin('unit as u', 'u.id', 'm.unit_id')
    .select(summaryColumns)
    .where('m.id', '=', messageId)
    .executeTakeFirst()
}

/** The recipients of a message's snapshot (`m`). */
export const snapshotPeople = sql<number | null>`(m.snapshot -> 'recipients' ->> 'total')::integer`

const summaryColumns = [
  'm.id',
  'm.state',
  'm.unit_id as unitId',
  'u.name as unitName',
  'm.category_id as categoryId',
  'm.origin',
  'm.problem',
  'm.schedule_at as sendAt',
  snapshotPeople.as('people'),
] as const

/** After this many wakes without an observed version, the reconciler asks Temporal for the state of the run. */
export const unansweredWakes = 5

/**
 * Takes up to `limit` messages whose run is late: a change not observed within 1 s, or an instant missed by 5 s.
 * Returns each at most every 5 s; after `unansweredWakes` every 20 s, because a signal resets Temporal's count of
 * attempts of a failing workflow task; a wedged one every minute. Two reconcilers never take the same one.
 */
export async function takeRunsToWake(db: Db, limit: number): Promise<RunToWake[]> {
  return db
    .with('late', (query) =>
      query
        .selectFrom('message')
        .select('id')
        .where(sql<boolean>`(observed_version < version and changed_at < now() - interval '1 second'
          or next_wakeup_at < now() - interval '5 seconds')`)
        .where(sql<boolean>`(woken_at is null or woken_at < now() - case
          when wedged_at is not null then interval '1 minute'
          when wake_count >= ${unansweredWakes} then interval '20 seconds'
          else interval '5 seconds' end)`)
        .orderBy('wake_count') // beyond the limit, runs that were woken least come first
        .limit(limit)
        .forNoKeyUpdate()
        .skipLocked(),
    )
    .updateTable('message as m')
    .from('unit as u')
    .set((eb) => ({ woken_at: sql<Date>`clock_timestamp()`, wake_count: eb('m.wake_count', '+', 1) }))
    .whereRef('u.id', '=', 'm.unit_id')
    .where('m.id', 'in', (eb) => eb.selectFrom('late').select('late.id'))
    .returning(summaryColumns)
    .returning(['m.wake_count as wakes', sql<boolean>`m.wedged_at is not null`.as('wedged')])
    .execute()
}

/**
 * Runs that are a minute or more late, wedged runs, and those that the reconciler began anew within a day because they
 * were wedged; for health and metrics.
 */
export type RunHealth = { overdue: number; wedged: number; restarted: number; oldestSeconds: number }

/** How far the runs are behind their rows, by Postgres' clock. Reads three partial indexes. */
export async function readRunHealth(db: Db): Promise<RunHealth> {
  const { rows } = await sql<RunHealth>`
    with late as (
      select changed_at as since, wedged_at from message where observed_version < version
      union all
      select next_wakeup_at, wedged_at from message where next_wakeup_at < now() and observed_version = version)
    select count(*) filter (where since < now() - interval '1 minute') as overdue,
           count(*) filter (where wedged_at is not null) as wedged,
           (select count(*) from message where run_restarted_at > now() - interval '1 day') as restarted,
           coalesce(extract(epoch from now() - min(since))::float8, 0) as "oldestSeconds"
    from late`.execute(db)
  return rows[0]!
}

/**
 * Makes the runs of all open messages due now, or only of the given ones: for use after Temporal's store, or a run, was
 * lost (docs/decisions/0029-runs.md). Returns their number. Skips drafts, which have no run.
 */
export async function makeRunsDue(db: Db, messageIds?: readonly string[]): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('message')
    .set({ next_wakeup_at: sql<Date>`now() - interval '5 seconds'`, woken_at: null, wake_count: 0 })
    .where('closed_at', 'is', null)
    .where('state', '<>', 'draft')
    .$if(messageIds !== undefined, (query) => query.where('id', '=', anyOf(messageIds!)))
    .executeTakeFirst()
  return Number(numUpdatedRows)
}
