import { type RawBuilder, sql } from 'kysely'
import type { Problem, RunState, TurnChannel, TurnState, TurnWay, UnitKind } from '../../../contract/enums.ts'
import type { PostbackData } from '../../../contract/messages/content.ts'
import type { ScenarioNode } from '../../../contract/scenarios/graph.ts'
import { answeringKinds, errorEdge } from '../../../domain/scenario/answered-way.ts'
import type { NodeMessages } from '../../../domain/scenario/deliverable-channels.ts'
import { anyOf } from '../../any-of.ts'
import type { Db } from '../../connect.ts'
import { type RowPage, unplanned } from '../../rows.ts'
import { actorName } from '../identity/person.ts'

/** What a unit reads about the runs of its scenarios. */

/** The unit of a scenario or run. */
export type Owner = { id: string; unitId: string; unitKind: UnitKind }

/** A scenario of these units, for reading its runs. */
export async function findScenarioOwner(db: Db, id: string, unitIds: string[]): Promise<Owner | undefined> {
  const { rows } = await sql<Owner>`
    select scenario.id, unit.id as "unitId", unit.kind as "unitKind"
    from scenario join unit on unit.id = scenario.unit_id
    where scenario.id = ${id} and unit.id = any(${unitIds}::uuid[])
  `.execute(db)
  return rows[0]
}

/** `subjectId`, `uid`: null if the person was erased, or the run is past retention. */
export type RunRow = {
  id: string
  scenarioId: string
  version: number
  subjectId: string | null
  uid: string | null
  state: RunState
  reason: string | null
  node: string
  problem: Problem | null
  deadline: Date | null
  test: boolean
  startedBy: string
  startedByName: string | null
  startedAt: Date
  endedAt: Date | null
}

const runColumns = sql`run.id, run.scenario_id as "scenarioId", run.version_number as version,
  run.subject_id as "subjectId", subject.uid, run.state, run.reason, run.node, run.problem, run.deadline,
  run.test,
  run.started_by as "startedBy", ${actorName(sql.ref('run.started_by'))} as "startedByName",
  run.created_at as "startedAt", run.closed_at as "endedAt"`

/** Which runs; undefined: whatever. */
type RunFilter = {
  states?: RunState[] | undefined
  node?: string | undefined
  version?: number | undefined
  subjectId?: string | undefined
}

/**
 * Runs of a scenario, newest first: a page is read from the index of the scenario, or of the person. Where only open runs
 * are asked for, the others are not read; any other filter reads past them.
 */
export async function listRuns(
  db: Db,
  scenarioId: string,
  { states, node, version, subjectId }: RunFilter,
  { after, limit }: RowPage,
): Promise<RunRow[]> {
  const onlyOpen = states?.every((state) => state === 'running' || state === 'waiting')
  const conditions = [
    sql`scenario_id = ${scenarioId}`,
    ...(after === null ? [] : [sql`id < ${after}`]),
    ...(states ? [sql`state = any(${states}::text[])`] : []),
    ...(onlyOpen ? [sql`closed_at is null`] : []),
    ...(node === undefined ? [] : [sql`node = ${node}`]),
    ...(version === undefined ? [] : [sql`version_number = ${version}`]),
  ]
  const source =
    subjectId === undefined
      ? sql`scenario_run`
      : sql`(select * from scenario_run where subject_id = ${subjectId} offset 0) as theirs`
  const { rows } = await sql<RunRow>`
    select ${runColumns}
    from (
      select * from ${source} where ${sql.join(conditions, sql` and `)} order by id desc limit ${unplanned(limit)}
    ) as run
      left join subject on subject.id = run.subject_id
    order by run.id desc
  `.execute(db)
  return rows
}

/**
 * Which of these runs have gone on by an answer, or by what is known of their person: where they are tells it. A run past
 * retention may have. The nodes of a version are read once for all its runs.
 */
export async function findAnsweredRuns(db: Db, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const { rows } = await sql<{ id: string }>`
    with these as materialized (
      select id, scenario_id, version_number as version, purged_at from scenario_run where id = ${anyOf(ids)}
    ),
    answering as materialized (
      select version.scenario_id, version.version, node ->> 'id' as node
      from (select distinct scenario_id, version from these) as used
        join scenario_version as version using (scenario_id, version),
        jsonb_array_elements(version.content -> 'nodes') as node
      where node ->> 'kind' = any(${[...answeringKinds]}::text[])
    )
    select id from these where purged_at is not null or exists (
      select from scenario_step as step join answering on answering.node = step.node
      where step.run_id = these.id and step.edge is not null and step.edge <> ${errorEdge}
        and answering.scenario_id = these.scenario_id and answering.version = these.version)
  `.execute(db)
  return new Set(rows.map(({ id }) => id))
}

/** The nodes of the version that a run follows. */
export async function findNodesOfRun(db: Db, { scenarioId, version }: RunRow): Promise<ScenarioNode[]> {
  const { content } = await db
    .selectFrom('scenario_version')
    .select('content')
    .where('scenario_id', '=', scenarioId)
    .where('version', '=', version)
    .executeTakeFirstOrThrow()
  return content.nodes
}

/** A run with what it knows. `variables`: those of its start, and what it has learned over them. */
type RunDetailRow = RunRow & Owner & { purged: boolean; variables: Record<string, unknown> }

/** A run of these units. */
export async function findRun(db: Db, id: string, unitIds: string[]): Promise<RunDetailRow | undefined> {
  const { rows } = await sql<RunDetailRow>`
    select ${runColumns}, unit.id as "unitId", unit.kind as "unitKind", run.purged_at is not null as purged,
      coalesce(start.variables, '{}') || run.variables as variables
    from scenario_run as run
      join unit on unit.id = run.unit_id
      left join subject on subject.id = run.subject_id
      left join scenario_start as start on start.id = run.start_id
    where run.id = ${id} and run.unit_id = any(${unitIds}::uuid[])
  `.execute(db)
  return rows[0]
}

export type StepRow = {
  node: string
  enteredAt: Date
  leftAt: Date | null
  edge: string | null
  to: string | null
  /** Why it took its edge for errors; null: it did not. */
  reason: string | null
}

/** The path of a run, in order: each step leads to the next, whatever their times. */
export async function listSteps(db: Db, runId: string): Promise<StepRow[]> {
  const { rows } = await sql<StepRow>`
    select node, entered_at as "enteredAt", left_at as "leftAt", edge, to_node as "to", reason
    from scenario_step
    where run_id = ${runId}
  `.execute(db)
  return inOrder(rows)
}

/** The steps of a way, from the one that no other leads to. */
function inOrder(steps: StepRow[]): StepRow[] {
  const byNode = new Map(steps.map((step) => [step.node, step]))
  const reached = new Set(steps.map(({ to }) => to))
  const path: StepRow[] = []
  let next = steps.find(({ node }) => !reached.has(node))
  while (next && path.length < steps.length) {
    path.push(next)
    next = next.to === null ? undefined : byNode.get(next.to)
  }
  return path
}

export type TurnRow = {
  number: number
  firstNode: string
  lastNode: string
  state: TurnState
  reason: string | null
  channel: TurnChannel | null
  by: TurnWay | null
  createdAt: Date
  firstTryAt: Date | null
  nextTryAt: Date | null
  closedAt: Date | null
  says: NodeMessages[] | null
}

/** What a run said, in order. */
export async function listTurns(db: Db, runId: string): Promise<TurnRow[]> {
  return db
    .selectFrom('turn')
    .select([
      'number',
      'first_node as firstNode',
      'last_node as lastNode',
      'state',
      'reason',
      'channel',
      'by',
    ])
    .select(['created_at as createdAt', 'first_try_at as firstTryAt', 'next_try_at as nextTryAt'])
    .select(['closed_at as closedAt', 'says'])
    .where('run_id', '=', runId)
    .orderBy('number')
    .execute()
}

/** A turn without its texts, with its run or handoff. */
export type SubjectTurnRow = Omit<TurnRow, 'says'> & {
  id: string
  runId: string | null
  scenarioId: string | null
  handoffId: string | null
  unitId: string
  categoryId: string | null
}

/** What runs, and units in handoffs, said to a person, newest first. */
export async function listSubjectTurns(
  db: Db,
  subjectId: string,
  { after, limit }: RowPage,
): Promise<SubjectTurnRow[]> {
  const { rows } = await sql<SubjectTurnRow>`
    select turn.id, turn.run_id as "runId", run.scenario_id as "scenarioId", turn.handoff_id as "handoffId",
      turn.unit_id as "unitId", version.category_id as "categoryId", turn.number, turn.first_node as "firstNode",
      turn.last_node as "lastNode", turn.state, turn.reason, turn.channel, turn.by, turn.created_at as "createdAt",
      turn.first_try_at as "firstTryAt", turn.next_try_at as "nextTryAt", turn.closed_at as "closedAt"
    from turn left join scenario_run as run on run.id = turn.run_id
      left join scenario_version as version on version.scenario_id = run.scenario_id
        and version.version = run.version_number
    where turn.subject_id = ${subjectId} ${after === null ? sql`` : sql`and turn.id < ${after}`}
    order by turn.id desc
    limit ${unplanned(limit)}
  `.execute(db)
  return rows
}

export type AnswerOfRun = {
  node: string
  optionId: string | null
  text: string | null
  data: PostbackData | null
  at: Date
}

/** What the person answered in a run, in order. */
export async function listAnswersOfRun(db: Db, runId: string): Promise<AnswerOfRun[]> {
  return db
    .selectFrom('scenario_answer')
    .select(['node', 'option_id as optionId', 'text', 'data', 'at'])
    .where('run_id', '=', runId)
    .orderBy('at')
    .orderBy('node')
    .execute()
}

export type AnswerRow = AnswerOfRun & { runId: string; version: number; subjectId: string; uid: string }

/** Which answers; undefined: whatever. */
type AnswerFilter = {
  node?: string | undefined
  optionId?: string | undefined
  version?: number | undefined
  subjectId?: string | undefined
}

/** The last row of the previous page. */
export type AnswerCursor = { runId: string; node: string }

/** The answers to a scenario, newest runs first, from the index of its runs. */
export async function listAnswers(
  db: Db,
  scenarioId: string,
  { node, optionId, version, subjectId }: AnswerFilter,
  { after, limit }: RowPage<AnswerCursor>,
): Promise<AnswerRow[]> {
  const conditions: RawBuilder<unknown>[] = [
    sql`run.scenario_id = ${scenarioId}`,
    // The first condition is implied by the second, and bounds the part of the index that is read.
    ...(after
      ? [sql`run.id <= ${after.runId}`, sql`(run.id < ${after.runId} or answer.node > ${after.node})`]
      : []),
    ...(version === undefined ? [] : [sql`run.version_number = ${version}`]),
    ...(subjectId === undefined ? [] : [sql`run.subject_id = ${subjectId}`]),
    ...(node === undefined ? [] : [sql`answer.node = ${node}`]),
    ...(optionId === undefined ? [] : [sql`answer.option_id = ${optionId}`]),
  ]
  const { rows } = await sql<AnswerRow>`
    select run.id as "runId", run.version_number as version, subject.id as "subjectId", subject.uid, answer.node,
      answer.option_id as "optionId", answer.text, answer.data, answer.at
    from scenario_run as run
      cross join lateral (
        select * from scenario_answer where run_id = run.id order by node offset 0
      ) as answer
      join subject on subject.id = run.subject_id
    where ${sql.join(conditions, sql` and `)}
    order by run.id desc, answer.node limit ${unplanned(limit)}
  `.execute(db)
  return rows
}

/** Runs of one version at one node. `edge`: by which they left; `''`: that entered; null: that are there now. */
export type NodeCount = { version: number; node: string; edge: string | null; count: number }

/** How many runs went where: from the paths, and from the counts of those that are past retention. */
export async function countRuns(db: Db, scenarioId: string, version: number | null): Promise<NodeCount[]> {
  const { rows } = await sql<NodeCount>`
    with run as (
      select id, version_number as version, node, closed_at from scenario_run
      where scenario_id = ${scenarioId} and (${version}::integer is null or version_number = ${version}::integer)
    ),
    step as (
      select run.version, step.node, step.edge from run join scenario_step as step on step.run_id = run.id
    ),
    counted as (
      select version, node, null as edge, count(*) as count from run where closed_at is null group by version, node
      union all
      select version, node, '', count(*) from step group by version, node
      union all
      select version, node, edge, count(*) from step where edge is not null group by version, node, edge
      union all
      select version, node, edge, count from scenario_count
      where scenario_id = ${scenarioId} and (${version}::integer is null or version = ${version}::integer)
    )
    select version, node, edge, sum(count)::integer as count from counted
    group by version, node, edge order by version desc, node, edge
  `.execute(db)
  return rows
}
