import { type Command, Option } from 'commander'
import { type RunState, runStates, type ShownScenarioState, shownScenarioStates } from '../contract/enums.ts'
import { ServiceError } from '../contract/errors.ts'
import type { Db } from '../db/connect.ts'
import { listScenarios, type ScenarioItem } from '../db/queries/scenario/scenario.ts'
import { listRuns, type RunRow } from '../db/queries/scenario-run/records.ts'
import { idOrNull } from '../domain/lib/id.ts'
import { toInstant } from '../services/instants.ts'
import { byId, pageOf } from '../services/page.ts'
import { answerPage, type CommandContext, type PageOptions, withDatabase, withPages } from './command.ts'
import { findUnit } from './find-unit.ts'

/** `carillon scenario list` and `carillon run list` */
export function addScenario(program: Command): void {
  withPages(
    program
      .command('scenario')
      .description('list scenarios')
      .command('list')
      .description('list the scenarios of a unit, newest first')
      .argument('<unit>', 'id or name'),
  )
    .addOption(
      new Option('--state <states...>', 'only scenarios in these states').choices(shownScenarioStates),
    )
    .action(withDatabase(listOfUnit))
  withPages(
    program
      .command('run')
      .description('list runs of scenarios (carillon trace <run> explains one)')
      .command('list')
      .description('list the runs of a scenario with the node at which each is, newest first')
      .argument('<scenario>', 'scenario id'),
  )
    .addOption(new Option('--state <states...>', 'only runs in these states').choices(runStates))
    .option('--node <node>', 'only runs that are at this node')
    .action(withDatabase(listOfScenario))
}

async function listOfUnit(
  context: CommandContext,
  named: string,
  { state: states, ...query }: PageOptions & { state?: ShownScenarioState[] },
): Promise<void> {
  const { db } = context
  const { id: unitId } = await findUnit(db, named)
  const filter = { unitId, states, summary: true }
  const page = await pageOf(query, byId, (rows) => listScenarios(db, filter, rows), scenarioOf)
  answerPage(context, page, {
    id: ({ id }) => id,
    state: ({ state }) => state,
    version: ({ version }) => String(version),
    'in force': ({ inForce }) => String(inForce ?? ''),
    category: ({ categoryId }) => categoryId,
    name: ({ name }) => name,
  })
}

function scenarioOf({ id, shown: state, version, inForce, categoryId, name }: ScenarioItem) {
  return { id, state, version, inForce, categoryId, name }
}

async function listOfScenario(
  context: CommandContext,
  named: string,
  { state: states, node, ...query }: PageOptions & { state?: RunState[]; node?: string },
): Promise<void> {
  const { db } = context
  const scenarioId = await scenarioNamed(db, named)
  const page = await pageOf(query, byId, (rows) => listRuns(db, scenarioId, { states, node }, rows), runOf)
  answerPage(context, page, {
    id: ({ id }) => id,
    started: ({ startedAt }) => startedAt,
    state: ({ state, reason }) => (reason === null ? state : `${state} (${reason})`),
    problem: ({ problem }) => problem ?? '',
    version: ({ version }) => String(version),
    node: ({ node: at }) => at,
    deadline: ({ deadline }) => deadline ?? '',
  })
}

/** Who a run is with is for those who may read about people: the trace of a run, which is audited, says it. */
function runOf({ id, version, state, reason, node, problem, test, ...times }: RunRow) {
  return {
    id,
    version,
    state,
    reason,
    node,
    problem,
    test,
    deadline: toInstant(times.deadline),
    startedAt: times.startedAt.toISOString(),
    endedAt: toInstant(times.endedAt),
  }
}

/** @throws ServiceError not_found */
async function scenarioNamed(db: Db, named: string): Promise<string> {
  const id = idOrNull(named)
  const row = id && (await db.selectFrom('scenario').select('id').where('id', '=', id).executeTakeFirst())
  if (!row) throw new ServiceError('not_found', `No scenario ${named}. See: carillon scenario list <unit>`)
  return row.id
}
