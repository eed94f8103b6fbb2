import { sql } from 'kysely'
import type { Db, Trx } from '../../connect.ts'

/** The unit of a run; undefined if the run does not exist. */
export async function findUnitOfRun(db: Db | Trx, runId: string): Promise<string | undefined> {
  const row = await db.selectFrom('scenario_run').select('unit_id').where('id', '=', runId).executeTakeFirst()
  return row?.unit_id
}

/** Wakes the runs of a scenario that was resumed, by the reconciler: what they have to say was held back. */
export async function releaseTurns(trx: Trx, scenarioId: string): Promise<void> {
  await sql`
    update scenario_run as run set version = version + 1, changed_at = clock_timestamp()
    where scenario_id = ${scenarioId} and closed_at is null
      and exists (select from turn where turn.run_id = run.id and turn.state = 'pending' offset 0)`.execute(
    trx,
  )
}

/** Makes what a run has to say, or the step that kept failing, due now. Returns whether anything was held back. */
export async function retryTurn(trx: Trx, runId: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    with due as (
      update turn set next_try_at = null, held_ms = case
          when run.problem in ('provider', 'provider_quota', 'quota')
          then greatest(0, held_ms - extract(epoch from next_try_at - clock_timestamp()) * 1000)
          else held_ms end
      from scenario_run as run
      where run.id = run_id and run_id = ${runId} and turn.state = 'pending' and next_try_at > clock_timestamp()
      returning run_id
    )
    update scenario_run set version = version + 1, changed_at = clock_timestamp(), step_parked_at = null,
      step_failures = 0
    where id = ${runId} and closed_at is null
      and (step_parked_at is not null or exists (select from due))`.execute(trx)
  return numAffectedRows === 1n
}
