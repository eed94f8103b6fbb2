import type {
  RunSummary,
  RunSummaryQuery,
  RunTurn,
  ScenarioAnswer,
  ScenarioAnswerPage,
  ScenarioAnswerQuery,
  ScenarioRun,
  ScenarioRunDetail,
  ScenarioRunPage,
  ScenarioRunQuery,
} from '../../contract/scenarios/records.ts'
import type { Db } from '../../db/connect.ts'
import { insertAudit } from '../../db/queries/audit/audit.ts'
import { type HandoffOfRun, listHandoffsOfRun } from '../../db/queries/handoff/records.ts'
import {
  type AnswerCursor,
  type AnswerOfRun,
  type AnswerRow,
  countRuns,
  findAnsweredRuns,
  findNodesOfRun,
  findRun,
  findScenarioOwner,
  listAnswers,
  listAnswersOfRun,
  listRuns,
  listSteps,
  listTurns,
  type NodeCount,
  type Owner,
  type RunRow,
  type StepRow,
  type TurnRow,
} from '../../db/queries/scenario-run/records.ts'
import { idOrNull } from '../../domain/lib/id.ts'
import { runNamesRefusal } from '../../domain/rights/permission.ts'
import { actorOf, type Principal } from '../../domain/rights/principal.ts'
import { isOnWay, wayBeforeAnswers } from '../../domain/scenario/answered-way.ts'
import { actorView, nameless } from '../actor.ts'
import type { Services } from '../context.ts'
import { withCountLimit } from '../count-limit.ts'
import { toInstant } from '../instants.ts'
import { type AuditedList, auditedPage, byId, type Key, type PageQuery, pageOf } from '../page.ts'
import { refuse } from '../refuse.ts'
import { subjectNamed } from '../subjects/find.ts'
import { findInUnits } from '../unit-access.ts'
import { errorsOf } from './run-errors.ts'

const nobody = { items: [], nextCursor: null }

/**
 * One page of the runs of a scenario, newest first. Callers who may read about people also see with whom, and the audit
 * log records it. For others a run that has gone on by an answer has no node, and nobody may ask by it.
 * @throws ServiceError not_found, forbidden for a filter by uid or node, validation_error; unavailable for a filter that reads
 *   past other runs, if the unit has too many counts running
 */
export async function listScenarioRuns(
  { db }: Services,
  principal: Principal,
  id: string,
  query: ScenarioRunQuery,
): Promise<ScenarioRunPage> {
  const scenario = await findInUnits(db, principal, id, 'scenario', findScenarioOwner)
  const { state: states, node, version, uid } = query
  const refusal = runNamesRefusal(principal, scenario.unitId, scenario.unitKind)
  if (uid !== undefined || node !== undefined) refuse(refusal)
  const about = await subjectNamed(db, uid)
  if (!refusal) await auditReading(db, principal, scenario, { objectKind: 'scenario', what: 'runs', about })
  if (about === null) return nobody
  const filter = { states, node, version, subjectId: about }
  const read = async () => {
    const page = await pageOf(
      query,
      byId,
      (rows) => listRuns(db, scenario.id, filter, rows),
      (row) => row,
    )
    const ids = page.items.map(({ id }) => id)
    const answered = refusal ? await findAnsweredRuns(db, ids) : new Set<string>()
    const items = page.items.map((row) => runOf(row, { names: !refusal, position: !answered.has(row.id) }))
    return { ...page, items }
  }
  const looksFor = about === undefined && [states, node, version].some((one) => one !== undefined)
  return looksFor ? withCountLimit(scenario.unitId, read) : read()
}

/**
 * A run. Callers who may read about people also see with whom, texts, variables and answers, and the audit log records it;
 * others see its way up to the first answer.
 * @throws ServiceError not_found
 */
export async function getRun(
  services: Services,
  principal: Principal,
  id: string,
): Promise<ScenarioRunDetail> {
  const { db } = services
  const run = await findInUnits(db, principal, id, 'run', findRun)
  const names = runNamesRefusal(principal, run.unitId, run.unitKind) === null
  const about = run.subjectId ?? undefined
  if (names) await auditReading(db, principal, run, { objectKind: 'scenario_run', what: 'run', about })
  const steps = await listSteps(db, run.id)
  const way = names ? { path: steps, cut: false } : wayBeforeAnswers(steps, await findNodesOfRun(db, run))
  const tells = (node: string) => !way.cut || isOnWay(way.path, node)
  const [turns, handoffs] = [await listTurns(db, run.id), await listHandoffsOfRun(db, run.id)]
  const answers = names ? await listAnswersOfRun(db, run.id) : []
  return {
    ...runOf(run, { names, position: names || !(way.cut || run.purged) }),
    purged: run.purged,
    path: way.path.map(stepOf),
    errors: (await errorsOf(services, run, steps)).filter(({ node }) => tells(node)),
    turns: turns.filter(({ lastNode }) => tells(lastNode)).map((turn) => turnOf(turn, names)),
    handoffs: handoffs.filter(({ node }) => tells(node)).map(handoffOf),
    ...(names && { variables: run.variables, answers: answers.map(answerOf) }),
  }
}

/**
 * How many runs of each version are at a node, have entered it, and have left it by which edge.
 * @throws ServiceError not_found; unavailable, if the unit has too many counts running
 */
export async function summariseRuns(
  { db }: Services,
  principal: Principal,
  id: string,
  { version }: RunSummaryQuery,
): Promise<RunSummary> {
  const scenario = await findInUnits(db, principal, id, 'scenario', findScenarioOwner)
  const counts = await withCountLimit(scenario.unitId, () => countRuns(db, scenario.id, version ?? null))
  const versions = [...Map.groupBy(counts, (one) => one.version)]
  return {
    versions: versions.map(([number, nodeCounts]) => ({ version: number, nodes: nodesOf(nodeCounts) })),
  }
}

/**
 * One page of the answers to a scenario, newest runs first. The audit log records who read it.
 * @throws ServiceError not_found, forbidden, validation_error; unavailable for a filter that reads past other answers, if
 *   the unit has too many counts running
 */
export async function listScenarioAnswers(
  services: Services,
  principal: Principal,
  id: string,
  query: ScenarioAnswerQuery,
): Promise<ScenarioAnswerPage> {
  return auditedPage(await scenarioAnswersOf(services, principal, id, query), query)
}

/**
 * The same, to be read page by page or all at once.
 * @throws ServiceError not_found, forbidden
 */
export async function scenarioAnswersOf(
  { db }: Services,
  principal: Principal,
  id: string,
  { node, optionId, version, uid }: Omit<ScenarioAnswerQuery, keyof PageQuery>,
): Promise<AuditedList<ScenarioAnswer>> {
  const scenario = await findInUnits(db, principal, id, 'scenario', findScenarioOwner)
  refuse(runNamesRefusal(principal, scenario.unitId, scenario.unitKind))
  const about = await subjectNamed(db, uid)
  const looksFor = about === undefined && [node, optionId, version].some((one) => one !== undefined)
  return {
    audit: (details) =>
      auditReading(db, principal, scenario, { objectKind: 'scenario', what: 'answers', about, ...details }),
    async page(query) {
      if (about === null) return nobody
      const filter = { node, optionId, version, subjectId: about }
      const read = () =>
        pageOf(query, byRunAndNode, (page) => listAnswers(db, scenario.id, filter, page), scenarioAnswerOf)
      return looksFor ? withCountLimit(scenario.unitId, read) : read()
    },
  }
}

/** Records who read about whom: everybody, or one person. */
function auditReading(
  db: Db,
  principal: Principal,
  { id, unitId }: Owner,
  {
    objectKind,
    what,
    about,
    ...details
  }: {
    objectKind: 'scenario' | 'scenario_run'
    what: 'runs' | 'run' | 'answers'
    about: string | null | undefined
  },
): Promise<void> {
  return insertAudit(db, {
    unitId,
    actor: actorOf(principal),
    action: 'read',
    objectKind,
    objectId: id,
    details: { what, ...(about && { subjectId: about }), ...details },
  })
}

/** `names`: with whom it is; `position`: where it is, and until when. */
function runOf(
  { startedByName, ...row }: RunRow,
  { names, position }: { names: boolean; position: boolean },
): ScenarioRun {
  const { id, scenarioId, version, subjectId, uid, state, reason, node, problem, test } = row
  return {
    id,
    scenarioId,
    version,
    ...(names && { subjectId, uid }),
    state,
    reason,
    problem,
    test,
    ...(position && { node, deadline: toInstant(row.deadline) }),
    startedBy: actorView(names ? row.startedBy : nameless(row.startedBy), startedByName),
    startedAt: row.startedAt.toISOString(),
    endedAt: toInstant(row.endedAt),
  }
}

function stepOf({ enteredAt, leftAt, reason: _, ...step }: StepRow) {
  return { ...step, enteredAt: enteredAt.toISOString(), leftAt: toInstant(leftAt) }
}

function turnOf(
  { says, createdAt, firstTryAt, nextTryAt, closedAt, ...turn }: TurnRow,
  names: boolean,
): RunTurn {
  return {
    ...turn,
    createdAt: createdAt.toISOString(),
    firstTryAt: toInstant(firstTryAt),
    nextTryAt: toInstant(nextTryAt),
    closedAt: toInstant(closedAt),
    ...(names && { says }),
  }
}

function handoffOf({ openedAt, closedAt, ...handoff }: HandoffOfRun) {
  const state = closedAt === null ? ('open' as const) : ('closed' as const)
  return { ...handoff, state, openedAt: openedAt.toISOString(), closedAt: toInstant(closedAt) }
}

function answerOf({ at, ...answer }: AnswerOfRun) {
  return { ...answer, at: at.toISOString() }
}

function scenarioAnswerOf({ at, ...answer }: AnswerRow): ScenarioAnswer {
  return { ...answer, at: at.toISOString() }
}

const byRunAndNode: Key<AnswerRow, AnswerCursor> = {
  of: ({ runId, node }) => `${runId} ${node}`,
  read(text) {
    const [id, node = ''] = text.split(' ')
    const runId = idOrNull(id)
    return runId !== null && /^[\w-]+$/.test(node) ? { runId, node } : null
  },
}

type Nodes = RunSummary['versions'][number]['nodes']

function nodesOf(counts: NodeCount[]): Nodes {
  return Object.fromEntries(
    [...Map.groupBy(counts, ({ node }) => node)].map(([node, rows]) => {
      const of = (wanted: string | null) => rows.find(({ edge }) => edge === wanted)?.count ?? 0
      const left = rows.flatMap(({ edge, count }) => (edge ? [[edge, count] as const] : []))
      return [node, { here: of(null), entered: of(''), left: Object.fromEntries(left) }]
    }),
  )
}
