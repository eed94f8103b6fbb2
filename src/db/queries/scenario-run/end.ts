import { type RawBuilder, sql } from 'kysely'
import type { RunState } from '../../../contract/enums.ts'
import { anyOf } from '../../any-of.ts'
import type { Db, Trx } from '../../connect.ts'
import { inUnits, unplanned } from '../../rows.ts'
import { runEndsInto } from '../callback/runs.ts'
import { giveUpPlaces } from '../pattern/registration.ts'

/** Open runs: by id, of a person, or the next `most` of a scenario, of one version or at one node if it is named. */
type RunsToEnd =
  | { ids: readonly string[] }
  | { subjectId: string }
  | { where: { scenarioId: string; version?: number; node?: string }; most: number }

/** How runs end. `reason`: as a run shows it; null for one that is done. */
type RunEnd = { state: Exclude<RunState, 'running' | 'waiting'>; reason: string | null }

/** `ids`: the runs that were ended. `toWake`: those of them that have a workflow, which is to read that it is over. */
export type EndedRuns = { ids: string[]; toWake: string[] }

/**
 * Ends open runs, in whatever way: the one function that closes them. Those to wake are to be woken after the commit; a run
 * that is over already keeps its end. One that stands in line leaves it: Temporal was never told of it, so no workflow
 * reads that it is over, and its row counts as observed.
 *
 * The handoffs they wait for are closed. A pending turn that was never tried is skipped for the same reason. One whose
 * first try has begun may have been accepted: it stays pending for its sender, which alone can tell, and gives back
 * what it paid. Who waited for a place of a pattern gives up waiting.
 */
export async function endRuns(trx: Trx, which: RunsToEnd, { state, reason }: RunEnd): Promise<EndedRuns> {
  const runs = await lockRuns(trx, which)
  const ids = runs.map(({ id }) => id)
  if (ids.length === 0) return { ids, toWake: [] }
  await sql`
    with ended as (
      update scenario_run set state = ${state}, reason = ${reason}, closed_at = clock_timestamp(),
        changed_at = clock_timestamp(), version = version + 1, deadline = null, next_wakeup_at = null, problem = null,
        observed_version = case when queued_at is null then observed_version else version + 1 end, queued_at = null
      where id = ${anyOf(ids)}
      returning id, unit_id, test, state, reason
    ),
    reported as (
      ${runEndsInto(sql`ended`)}
    ),
    left_handoffs as (
      update handoff set closed_at = clock_timestamp(), closed_by = 'system:run', end_reason = 'run_ended'
      where run_id = ${anyOf(ids)} and closed_at is null
    )
    ${skipUntriedTurns(ids, reason ?? state)}`.execute(trx)
  await giveUpPlaces(trx, ids)
  return { ids, toWake: runs.flatMap(({ id, queued }) => (queued ? [] : [id])) }
}

/** Skips what these runs were about to say: pending turns that were never tried. */
export function skipUntriedTurns(runIds: readonly string[], reason: string): RawBuilder<unknown> {
  return sql`update turn set state = 'skipped', reason = ${reason}, closed_at = clock_timestamp()
    where run_id = ${anyOf(runIds)} and state = 'pending' and first_try_at is null and claimed_by is null`
}

/** Locks a run. Returns whether it is open. */
export async function lockOpenRun(trx: Trx, id: string): Promise<boolean> {
  return (await lockRuns(trx, { ids: [id] })).length > 0
}

/** Locks open runs in the order of their ids, as every transaction that locks several. */
async function lockRuns(trx: Trx, which: RunsToEnd): Promise<{ id: string; queued: boolean }[]> {
  const { rows } = await sql<{ id: string; queued: boolean }>`
    select id, queued_at is not null as queued from scenario_run where ${conditionOf(which)} and closed_at is null
    order by id ${'most' in which ? sql`limit ${unplanned(which.most)}` : sql``}
    for no key update`.execute(trx)
  return rows
}

function conditionOf(which: RunsToEnd): RawBuilder<boolean> {
  if ('ids' in which) return sql`id = ${anyOf(which.ids)}`
  if ('subjectId' in which) return sql`subject_id = ${which.subjectId}`
  const { scenarioId, version, node } = which.where
  return sql`${sql.join(
    [
      sql`scenario_id = ${scenarioId}`,
      ...(version === undefined ? [] : [sql`version_number = ${version}`]),
      ...(node === undefined ? [] : [sql`node = ${node}`]),
    ],
    sql` and `,
  )}`
}

type RunOfUnits = { id: string; unitId: string; categoryId: string; state: RunState; closedAt: Date | null }

/** A run of one of these units. */
export async function findRunOfUnits(db: Db, id: string, unitIds: string[]): Promise<RunOfUnits | undefined> {
  const query = db
    .selectFrom('scenario_run as run')
    .innerJoin('scenario_version as version', (join) =>
      join
        .onRef('version.scenario_id', '=', 'run.scenario_id')
        .onRef('version.version', '=', 'run.version_number'),
    )
    .select(['run.id', 'run.unit_id as unitId', 'run.state', 'run.closed_at as closedAt'])
    .select('version.category_id as categoryId')
  return inUnits(query, 'run', id, unitIds).executeTakeFirst()
}
