import { sql } from 'kysely'
import type {
  LookupError,
  Problem,
  RunState,
  TurnChannel,
  TurnState,
  TurnWay,
} from '../../../contract/enums.ts'
import type { RefusedField } from '../../../domain/scenario/lookup-answer.ts'
import type { Db } from '../../connect.ts'
import { actorName } from '../identity/person.ts'
import { joinRunVersion } from '../scenario/version.ts'

/** The rows of one run of a scenario, for `carillon trace`. */

export type TracedRun = {
  id: string
  unitId: string
  /** Null: erased, or past retention. */
  subjectId: string | null
  scenario: string
  version: number
  test: boolean
  startedBy: string
  startedByName: string | null
  startedAt: Date
  state: RunState
  node: string
  deadline: Date | null
  reason: string | null
  problem: Problem | null
  endedAt: Date | null
  purged: boolean
}

/** A run by its id, or by that of one of its turns. */
export async function findTracedRun(db: Db, id: string): Promise<TracedRun | undefined> {
  const { rows } = await sql<TracedRun>`
    select run.id, run.unit_id as "unitId", run.subject_id as "subjectId", version.name as scenario,
      run.version_number as version, run.test, run.started_by as "startedBy",
      ${actorName(sql.ref('run.started_by'))} as "startedByName", run.created_at as "startedAt", run.state, run.node,
      run.deadline, run.reason, run.problem, run.closed_at as "endedAt", run.purged_at is not null as purged
    from scenario_run as run
      ${joinRunVersion}
    where run.id = coalesce((select run_id from turn where id = ${id}), ${id})
  `.execute(db)
  return rows[0]
}

export type TracedTurn = {
  number: number
  firstNode: string
  lastNode: string
  state: TurnState
  reason: string | null
  channel: TurnChannel | null
  by: TurnWay | null
  tries: number
  retryKey: string | null
  requestId: string | null
  createdAt: Date
  firstTryAt: Date | null
  nextTryAt: Date | null
  closedAt: Date | null
}

/** The columns of a `turn`, as they are traced. */
export const turnColumns = sql`turn.number, turn.first_node as "firstNode", turn.last_node as "lastNode", turn.state,
      turn.reason, turn.channel, turn.by, turn.tries, turn.retry_key as "retryKey", turn.request_id as "requestId",
      turn.created_at as "createdAt", turn.first_try_at as "firstTryAt", turn.next_try_at as "nextTryAt",
      turn.closed_at as "closedAt"`

/** What a run said, with the tries of the provider. */
export async function tracedTurns(db: Db, runId: string): Promise<TracedTurn[]> {
  const { rows } = await sql<TracedTurn>`
    select ${turnColumns}
    from turn where run_id = ${runId} order by number
  `.execute(db)
  return rows
}

export type TracedLookup = {
  node: string
  startedAt: Date
  endedAt: Date | null
  outcome: 'found' | LookupError | null
  refused: RefusedField[] | null
}

export async function tracedLookups(db: Db, runId: string): Promise<TracedLookup[]> {
  return db
    .selectFrom('lookup')
    .select(['node', 'started_at as startedAt', 'ended_at as endedAt', 'outcome', 'refused'])
    .where('run_id', '=', runId)
    .execute()
}
