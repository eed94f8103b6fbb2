import { sql } from 'kysely'
import type {
  Channel,
  HandoffState,
  Layer,
  LookupError,
  Problem,
  RunState,
  ScenarioState,
  TurnChannel,
  TurnState,
} from '../../../contract/enums.ts'
import { limits } from '../../../contract/limits.ts'
import type { LocalisedText } from '../../../contract/localised-text.ts'
import type { ScenarioContent } from '../../../contract/scenarios/content.ts'
import type { ChannelPlan } from '../../../domain/content/channel-plan.ts'
import type { SendingUnit } from '../../../domain/content/sending-unit.ts'
import type { PatternFacts } from '../../../domain/pattern/pattern-values.ts'
import type { RunFacts } from '../../../domain/scenario/advance.ts'
import type { LookupFault } from '../../../domain/scenario/values.ts'
import type { Db, Trx } from '../../connect.ts'
import { sendingUnit } from '../identity/unit.ts'
import { stepRetryAt } from '../run/step-failure.ts'
import { ownPlace, patternFacts } from '../scenario/pattern-facts.ts'
import { reached } from './start.ts'
import { runConsent, runPlan, type TurnContext } from './turn.ts'

/** A run as it observes itself, read at `now` (ms since the epoch, Postgres' clock). */
export type ObservedRun = {
  facts: RunFacts
  now: number
  /** Of the row; a move is written only while it is still the same. */
  version: number
  /** Nobody has observed this version before. */
  isNew: boolean
  run: {
    id: string
    scenarioId: string
    unitId: string
    subjectId: string
    uid: string
    startedBy: string
    test: boolean
    patternId: string | null
  }
  /** When the person last said something; null: others began it, and the person has said nothing. */
  spokeAt: Date | null
  /** Whether they said it on a page behind a link. */
  onPage: boolean
  /** What the content of its turns depends on. */
  speaking: TurnContext
  /** The channels of the plan that are open for the person; all of them, if none is. */
  channels: Channel[]
  view: ScenarioRunView
}

/** What the Temporal UI shows of a run: ids, enum values and instants, and nothing of its way. */
export type ScenarioRunView = {
  version: number
  state: RunState
  unitId: string
  categoryId: string
  problem: Problem | null
}

/** Reads a run for its workflow; undefined if it does not exist, or its person was erased. */
export async function observeRun(db: Db, runId: string): Promise<ObservedRun | undefined> {
  const { rows } = await sql<Row>`
    select run.id, run.scenario_id as "scenarioId", run.unit_id as "unitId", run.subject_id as "subjectId",
      run.started_by as "startedBy", run.test, run.spoke_at as "spokeAt",
      run.spoke_at > clock_timestamp() - interval '1 minute' as "answersPerson", run.on_page as "onPage",
      coalesce(run.opening ? 'node', false) as "hasChosen",
      run.state, run.node, run.reason, run.version, run.observed_version < run.version as "isNew", run.problem, run.jumps, run.jumped_through as "jumpedThrough",
      run.deadline, run.answers, run.lookup_error as "lookupError",
      coalesce(start.variables, '{}') || run.variables as variables,
      ${stepRetryAt('run')} as "stepRetryAt",
      scenario.state as "scenarioState", scenario_version.content, ${runPlan('category')} as plan,
      json_build_object('id', category.id, 'name', category.name, 'layer', category.layer) as category,
      ${sendingUnit} as unit,
      subject.uid, subject.display_name as "displayName", subject.locale, subject.stage,
      ${runConsent} as consent,
      (select to_json(newest) from (
        select last_node as "lastNode", turn.state, turn.reason, turn.channel, turn.refused,
          extract(epoch from turn.closed_at)::float8 * 1000 as "closedAt",
          extract(epoch from greatest(turn.next_try_at, turn.lease_until))::float8 * 1000 as "nextTryAt"
        from turn where turn.run_id = run.id
        order by turn.state <> 'pending', case when turn.state = 'pending' then number else -number end limit 1) as newest) as turn,
      (select json_build_object('optionId', option_id, 'text', answer.text)
        from scenario_answer as answer where answer.run_id = run.id and answer.node = run.node) as answer,
      (select outcome from lookup where lookup.run_id = run.id and lookup.node = run.node) as looked,
      (select case when handoff.closed_at is null then 'open' else 'closed' end
        from handoff where handoff.run_id = run.id and handoff.node = run.node) as handoff,
      run.deadline is not null and (exists (
        select from webhook_event as event
        where event.subject_id = run.subject_id and event.done_at is null and event.received_at <= run.deadline
      ) or exists (
        select from webhook_event as event join address on address.channel = event.channel
          and address.address = event.address
        where address.subject_id = run.subject_id and event.done_at is null and event.received_at <= run.deadline
      )) as "pendingEvents",
      pattern.id as "patternId", ${patternFacts(ownPlace)} as pattern,
      array(select channel from address where address.subject_id = run.subject_id and blocked_at is null) as open,
      clock_timestamp() as now
    from scenario_run as run
      join scenario on scenario.id = run.scenario_id
      join scenario_version on scenario_version.scenario_id = run.scenario_id
        and scenario_version.version = run.version_number
      join category on category.id = scenario_version.category_id
      join unit on unit.id = run.unit_id
      join subject on subject.id = run.subject_id
      left join pattern on pattern.scenario_id = run.scenario_id
      left join scenario_start as start on start.id = run.start_id
    where run.id = ${runId}`.execute(db)
  const row = rows[0]
  if (!row) return undefined
  return observed(row, await findNamed(db, row, row.content))
}

type Row = {
  id: string
  scenarioId: string
  unitId: string
  subjectId: string
  uid: string
  startedBy: string
  test: boolean
  spokeAt: Date | null
  answersPerson: boolean | null
  onPage: boolean
  /** They have chosen something on the page that started the run, which is not asked yet. */
  hasChosen: boolean
  state: RunState
  node: string
  reason: string | null
  version: number
  isNew: boolean
  problem: Problem | null
  jumps: number
  jumpedThrough: string[]
  deadline: Date | null
  answers: Record<string, string>
  lookupError: LookupFault | null
  variables: Record<string, unknown>
  stepRetryAt: Date | null
  scenarioState: ScenarioState
  content: ScenarioContent
  category: { id: string; name: LocalisedText; layer: Layer }
  plan: ChannelPlan
  unit: SendingUnit
  displayName: string | null
  locale: RunFacts['person']['locale']
  stage: RunFacts['person']['stage']
  consent: boolean
  turn: {
    lastNode: string
    state: TurnState
    reason: string | null
    channel: TurnChannel | null
    refused: Channel[]
    closedAt: number | null
    nextTryAt: number | null
  } | null
  answer: RunFacts['answer']
  looked: RunFacts['looked']
  handoff: HandoffState | null
  pendingEvents: boolean
  open: Channel[]
  patternId: string | null
  pattern: PatternFacts | null
  now: Date
}

/** What the graph of a scenario names beside itself. */
function namesIn({ nodes }: Pick<ScenarioContent, 'nodes'>): { groups: string[]; scenarios: string[] } {
  return {
    groups: nodes.flatMap((node) => (node.kind === 'addToGroup' ? [node.groupId] : [])),
    scenarios: nodes.flatMap((node) => (node.kind === 'jump' ? [node.scenarioId] : [])),
  }
}

type Named = Pick<RunFacts, 'groups' | 'jumpable'>
const none: Named = { groups: [], jumpable: [] }

/** For whom: the person of a run, and when they last spoke; of a simulation nobody, whom no rule keeps out. */
type Whom = { unitId: string; subjectId: string | null; spokeAt: Date | null }

/**
 * The groups of a unit that may be joined, and its scenarios that take the person, of those that a graph names. A chain
 * that others began enters no version that no person approved beyond what others may reach by it.
 */
export async function findNamed(
  db: Db,
  { unitId, subjectId, spokeAt }: Whom,
  content: Pick<ScenarioContent, 'nodes'>,
): Promise<Named> {
  const { groups, scenarios } = namesIn(content)
  if (groups.length + scenarios.length === 0) return none
  const nobody = sql`${subjectId === null}::boolean`
  const others = reached({ unitId, categoryId: sql.ref('category.id') }, subjectId)
  const { rows } = await sql<Named>`
    select coalesce((select jsonb_agg(jsonb_build_object('id', id, 'needs', case when not exists (
          select from group_member where group_id = parent_id and subject_id = ${subjectId})
          and not ${nobody} then parent_id end))
        from subject_group
        where unit_id = ${unitId} and kind = 'static' and id::text = any(${groups}::text[])), '[]') as groups,
      array(select scenario.id::text from scenario
        join scenario_version on scenario_version.scenario_id = scenario.id and scenario_version.state = 'in_force'
        join category on category.id = scenario_version.category_id
        where unit_id = ${unitId} and scenario.state = 'active' and scenario.id::text = any(${scenarios}::text[])
          and category.enabled and (${nobody} or category.consent_scope is null or exists (
            select from consent where consent.subject_id = ${subjectId}
              and consent.scope = category.consent_scope and consent.withdrawn_at is null))
          and (${nobody} or not scenario_version.automatic or ${spokeAt !== null}::boolean
            or ${others} < category.auto_max_recipients)
      ) as jumpable`.execute(db)
  return rows[0]!
}

function observed(row: Row, named: Named): ObservedRun {
  const {
    id,
    scenarioId,
    unitId,
    subjectId,
    uid,
    startedBy,
    test,
    state,
    node,
    version,
    problem,
    jumps,
    jumpedThrough,
    plan,
  } = row
  const { variables, answers, lookupError, content, turn, displayName, locale, stage, consent } = row
  const channels = plan.channels.filter((channel) => !turn?.refused.includes(channel))
  const first = channels.find((channel) => row.open.includes(channel)) ?? channels[0] ?? plan.channels[0]!
  const open = plan.channels.filter((channel) => row.open.includes(channel))
  return {
    facts: {
      state,
      ending: row.reason,
      node,
      jumps,
      jumpedThrough,
      consent,
      ...named,
      deadline: row.deadline?.getTime() ?? null,
      values: { variables, answers, lookupError },
      stepParkedUntil: row.stepRetryAt?.getTime() ?? null,
      scenario: {
        state: row.scenarioState,
        graph: content,
        farewell: test ? null : (content.farewell ?? null),
      },
      person: { subjectId, displayName, locale, stage },
      answersPerson: row.answersPerson ?? false,
      // Who has withdrawn their consent gets what the rules of the channel let them have.
      onPage: row.onPage && (row.answersPerson === true || row.hasChosen) && consent && !test,
      spokeLast: spokeLast(row),
      firstChannel: first,
      turn: turn && { ...turn, channel: turn.channel ?? first, problem },
      answer: row.answer,
      looked: row.looked,
      handoff: row.handoff,
      pendingEvents: row.pendingEvents,
      pattern: row.pattern,
      registered: null,
    },
    now: row.now.getTime(),
    version,
    isNew: row.isNew,
    run: { id, scenarioId, unitId, subjectId, uid, startedBy, test, patternId: row.patternId },
    spokeAt: row.spokeAt,
    onPage: row.onPage,
    speaking: { content, locale, unit: row.unit, category: row.category },
    channels: open.length > 0 ? open : plan.channels,
    view: { version, state, unitId, categoryId: row.category.id, problem },
  }
}

function spokeLast({ spokeAt, turn }: Row): boolean {
  if (spokeAt === null) return false
  return turn === null || (turn.closedAt !== null && turn.closedAt < spokeAt.getTime())
}

/**
 * The variables of a run that waits for the result of a Lookup, locked; undefined if it takes none any more: it has ended,
 * is at another node, or its person was erased while the producer was asked.
 */
export async function lockVariables(
  trx: Trx,
  { runId, node }: { runId: string; node: string },
): Promise<Record<string, unknown> | undefined> {
  const { rows } = await sql<{ variables: Record<string, unknown> }>`
    select variables from scenario_run
    where id = ${runId} and node = ${node} and closed_at is null and subject_id is not null
    for no key update`.execute(trx)
  return rows[0]?.variables
}

/**
 * Sets the fields that a Lookup found over the variables of its run, and why the last Lookup has no answer. Returns false,
 * and changes nothing, if the variables became too large, or the run takes no result any more.
 */
export async function keepFields(
  trx: Trx,
  { runId, node }: { runId: string; node: string },
  { fields, error }: { fields: Record<string, unknown>; error: LookupError | null },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update scenario_run set variables = variables || ${JSON.stringify(fields)}::jsonb, lookup_error = ${error},
      version = version + 1, changed_at = clock_timestamp()
    where id = ${runId} and node = ${node} and closed_at is null and subject_id is not null
      and octet_length((variables || ${JSON.stringify(fields)}::jsonb)::text) <= ${limits.runVariablesBytes}::int`.execute(
    trx,
  )
  return numAffectedRows === 1n
}
