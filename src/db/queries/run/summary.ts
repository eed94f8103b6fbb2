import { type RawBuilder, sql } from 'kysely'
import type { MessageState, Origin, Problem, RunState, ScheduleState } from '../../../contract/enums.ts'
import { type RunKind, type RunName, runKinds } from '../../../domain/run/run-kinds.ts'
import type { Db } from '../../connect.ts'

/** What the Temporal UI shows of a run before its first step. Contains no personal data: a unit is an organisation. */
export type RunSummary = MessageRunSummary | ScenarioRunSummary | ScheduleSummary

type OfAnyKind = {
  id: string
  unitId: string
  unitName: string
  categoryId: string
  problem: Problem | null
  /** The span that the row stands in. */
  traceparent: string | null
}

export type MessageRunSummary = OfAnyKind & {
  kind: 'message'
  state: MessageState
  origin: Origin
  sendAt: Date | null
  /** Recipients, as counted last; null for a message that was never submitted. */
  people: number | null
}

/** Its name may be that of a person, and is not here, nor is where it is: the way behind a question is personal. */
export type ScenarioRunSummary = OfAnyKind & {
  kind: 'scenario'
  state: RunState
  scenarioId: string
  version: number
  /** It stands in line and begins by `run-admit`: it is not to be woken. */
  queued: boolean
}

/** Its name may be that of a person, and is not here. */
export type ScheduleSummary = OfAnyKind & {
  kind: 'schedule'
  state: ScheduleState
  nextAt: Date | null
}

/** The recipients of a message's snapshot (`m`). */
export const snapshotPeople = sql<number | null>`(m.snapshot -> 'recipients' ->> 'total')::integer`

/** The span that the row of a run stands in. A schedule has none: each of its occurrences is a trace of its own. */
export const traceparentOf: Record<RunKind, RawBuilder<string | null>> = {
  message: sql`traceparent`,
  scenario: sql`traceparent`,
  schedule: sql`null::text`,
}

/** The summaries of all runs of a kind, for the statements that join them by id. */
export const summariesOf: Record<RunKind, RawBuilder<RunSummary>> = {
  message: sql<MessageRunSummary>`
    select m.id, 'message' as kind, m.state, m.unit_id as "unitId", u.name as "unitName", m.category_id as "categoryId",
      ${traceparentOf.message} as traceparent, m.origin, m.problem, m.schedule_at as "sendAt", ${snapshotPeople} as people
    from message as m join unit as u on u.id = m.unit_id`,
  scenario: sql<ScenarioRunSummary>`
    select r.id, 'scenario' as kind, r.state, r.unit_id as "unitId", u.name as "unitName", v.category_id as "categoryId",
      ${traceparentOf.scenario} as traceparent, r.problem, r.scenario_id as "scenarioId", v.version,
      r.queued_at is not null as queued
    from scenario_run as r
    join unit as u on u.id = r.unit_id
    join scenario_version as v on v.scenario_id = r.scenario_id and v.version = r.version_number`,
  schedule: sql<ScheduleSummary>`
    select s.id, 'schedule' as kind, s.state, s.unit_id as "unitId", u.name as "unitName", s.category_id as "categoryId",
      ${traceparentOf.schedule} as traceparent, s.problem, s.next_at as "nextAt"
    from schedule as s join unit as u on u.id = s.unit_id`,
}

/** Undefined if the run's row does not exist. */
export async function findRunSummary(db: Db, { kind, id }: RunName): Promise<RunSummary | undefined> {
  const { rows } = await sql<RunSummary>`
    select * from (${summariesOf[kind]}) as summary where id = ${id}`.execute(db)
  return rows[0]
}

/** The span that the row of a run stands in; null if it was written while nothing was recorded. */
export async function findTraceparent(db: Db, { kind, id }: RunName): Promise<string | null> {
  const { rows } = await sql<{ traceparent: string | null }>`
    select ${traceparentOf[kind]} as traceparent from ${sql.table(runKinds[kind].table)} where id = ${id}`.execute(
    db,
  )
  return rows[0]?.traceparent ?? null
}
