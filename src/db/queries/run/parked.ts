import { sql } from 'kysely'
import type { MessageState, Problem, RunState, ScheduleState } from '../../../contract/enums.ts'
import type { RunKind } from '../../../domain/run/run-kinds.ts'
import type { Db } from '../../connect.ts'
import type { RowPage } from '../../rows.ts'
import { nextTryAt } from '../delivery/parking.ts'
import { shownState } from '../shown-state.ts'
import { stepRetryAt } from './step-failure.ts'
import { byKind, tableOf, unionOfKinds } from './union-of-kinds.ts'

/** A parked run, for operators. `since`: to the millisecond. `nextTryAt`: by itself. */
export type ParkedRun = {
  kind: RunKind
  id: string
  unit: string
  state: MessageState | RunState | ScheduleState
  problem: Problem
  since: Date
  nextTryAt: Date | null
}

/** A page of the parked messages, runs of scenarios and schedules, those parked longest first. */
export async function listParked(
  db: Db,
  { after, limit }: RowPage<Pick<ParkedRun, 'since' | 'id'>>,
): Promise<ParkedRun[]> {
  const { rows } = await sql<ParkedRun>`
    with of_kinds as (
      select 'message' as kind, message.id, unit.name as unit, ${shownState('message')} as state, message.problem,
        coalesce(step_parked_at, up.parked_at, message.changed_at) as moment,
        coalesce(${stepRetryAt('message')}, ${nextTryAt('up')}) as "nextTryAt"
      from message join unit on unit.id = message.unit_id
      left join wave as up on up.message_id = message.id and up.number = case message.state when 'sent' then 1 else 0 end
      where message.problem is not null
      union all
      select 'scenario', run.id, unit.name, run.state, run.problem,
        coalesce(step_parked_at, run.changed_at), coalesce(${stepRetryAt('run')}, next_wakeup_at)
      from scenario_run as run join unit on unit.id = run.unit_id
      where run.problem is not null
      union all
      select 'schedule', schedule.id, unit.name, schedule.state, schedule.problem,
        coalesce(step_parked_at, schedule.changed_at), coalesce(${stepRetryAt('schedule')}, next_wakeup_at)
      from schedule join unit on unit.id = schedule.unit_id
      where schedule.problem is not null
    ), parked as (
      select kind, id, unit, state, problem, date_trunc('milliseconds', moment) as since, "nextTryAt" from of_kinds
    )
    select * from parked
    ${after ? sql`where (since, id) > (${after.since}, ${after.id}::uuid)` : sql``}
    order by since, id limit ${limit}`.execute(db)
  return rows
}

/** Numbers of parked runs of a kind, by problem. */
export type ParkedCounts = Record<Problem, number>

/** Reads a partial index of each kind. */
export async function countParked(db: Db): Promise<Record<RunKind, ParkedCounts>> {
  const { rows } = await sql<{ kind: RunKind; problem: Problem; parked: number }>`${unionOfKinds(
    (kind) => sql`
      select ${sql.lit(kind)} as kind, problem, count(*)::int as parked from ${tableOf(kind)} where problem is not null group by problem`,
  )}`.execute(db)
  const counts = byKind(() => ({
    provider: 0,
    provider_quota: 0,
    quota: 0,
    unknown_recipients: 0,
    internal: 0,
  }))
  for (const { kind, problem, parked } of rows) counts[kind][problem] = parked
  return counts
}
