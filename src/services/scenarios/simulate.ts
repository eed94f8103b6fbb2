import type { Channel, Locale, UnitKind } from '../../contract/enums.ts'
import { ServiceError } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import { broken } from '../../contract/rules.ts'
import type { ScenarioContent } from '../../contract/scenarios/content.ts'
import type { SimulateContent, SimulateScenario, Simulation } from '../../contract/scenarios/simulation.ts'
import { type Category, findCategory } from '../../db/queries/catalogue/category.ts'
import { findSendingUnit, findUnit } from '../../db/queries/identity/unit.ts'
import { findVersion } from '../../db/queries/scenario/version.ts'
import { findNamed } from '../../db/queries/scenario-run/observe-run.ts'
import type { Violation } from '../../domain/audience/audience.ts'
import { type PatternFacts, patternValues } from '../../domain/pattern/pattern-values.ts'
import type { Principal } from '../../domain/rights/principal.ts'
import { graphProblems } from '../../domain/scenario/graph-problems.ts'
import { lookupAnswerFault } from '../../domain/scenario/lookup-answer.ts'
import type { SimulationInput, SimulationWorld } from '../../domain/scenario/simulate.ts'
import { takesDeclaredOnly } from '../../domain/scenario/start-variables.ts'
import { enabledCategory } from '../catalogue/categories.ts'
import type { Services } from '../context.ts'
import { categoryOf } from '../messages/prepare.ts'
import { assertMayUse } from '../messages/rights.ts'
import { configured } from '../scenario-runs/compile-turn.ts'
import { variablesOf } from '../scenario-runs/start-rules.ts'
import { findInUnits, orNotFound, unitOf } from '../unit-access.ts'
import { type Issue, validationError } from '../validation-error.ts'
import { dagInvalid, lookupIssues } from './check-content.ts'
import { leadsOf } from './jumps.ts'
import { warningsOf } from './view.ts'

/**
 * Simulates a run of content that is not stored.
 * @throws ServiceError unit_required, forbidden, category_not_allowed, not_found for the category, and as `simulated`
 */
export async function simulateContent(
  services: Services,
  principal: Principal,
  { unitId: named, scenario, ...input }: SimulateContent,
): Promise<Simulation> {
  const unitId = unitOf(principal, named)
  assertMayUse(principal, scenario.categoryId)
  const row = await findCategory(services.db, scenario.categoryId)
  const category = enabledCategory(row, scenario.categoryId, 'scenario.categoryId')
  const { kind: unitKind } = orNotFound(await findUnit(services.db, unitId), 'unit')
  const unsaved = {
    id: null,
    unitId,
    unitKind,
    category,
    content: scenario,
    pattern: null,
    declaredOnly: false,
    path: 'scenario.',
  }
  return simulated(services, unsaved, input)
}

/**
 * Simulates a run of a stored version, the newest unless one is named.
 * @throws ServiceError not_found for the scenario or its version, and as `simulated`
 */
export async function simulateScenario(
  services: Services,
  principal: Principal,
  id: string,
  { version, ...input }: SimulateScenario,
): Promise<Simulation> {
  const newest = await findInUnits(services.db, principal, id, 'scenario', findVersion)
  const stored = version === undefined ? newest : await findVersion(services.db, id, [newest.unitId], version)
  if (!stored)
    throw new ServiceError(
      'not_found',
      `The scenario has no version ${version}. See GET /v1/scenarios/{id}/versions.`,
    )
  const category = await categoryOf(services.db, { category_id: stored.categoryId })
  const declaredOnly = takesDeclaredOnly(stored)
  return simulated(services, { ...stored, category, declaredOnly, path: '' }, input)
}

/**
 * Simulates a run of the scenario that a pattern would generate.
 * @throws ServiceError as `simulated`
 */
export async function simulatePattern(
  services: Services,
  unsaved: Pick<Simulated, 'unitId' | 'unitKind' | 'category' | 'content' | 'pattern'>,
  { answers, locale }: Pick<SimulationFields, 'answers' | 'locale'>,
): Promise<Simulation> {
  const input = { answers, lookups: {}, locale }
  return simulated(services, { ...unsaved, id: null, declaredOnly: false, path: '' }, input)
}

/**
 * `id`: of the scenario; null: it is not stored. `path`: of the content in the body. `declaredOnly`: a start may give it
 * declared variables alone.
 */
type Simulated = {
  id: string | null
  path: string
  unitId: string
  unitKind: UnitKind
  category: Category
  content: ScenarioContent
  pattern: PatternFacts | null
  declaredOnly: boolean
}
type SimulationFields = Pick<SimulateScenario, 'answers' | 'lookups' | 'variables' | 'locale'>

/** Stands for the address of the person's calendar entry. */
const sampleCalendar = 'https://example.org/calendar/sample.ics'

/**
 * The way of a run.
 * @throws ServiceError dag_invalid with all problems, missing_variable, validation_error for input about nodes that take
 *   none, for answers of Lookups that no run would take and addresses that none would call, content_violation if its texts take too many steps, RetryLater, not_configured without any of the category's channels
 */
async function simulated(
  services: Services,
  { id, unitId, unitKind, category, content, pattern, declaredOnly, path }: Simulated,
  { locale, ...fields }: SimulationFields,
): Promise<Simulation> {
  const declared = content.variables ?? []
  const problems = graphProblems(content, {
    pattern: pattern !== null,
    administrative: unitKind === 'administrative',
    variables: declared.map(({ name }) => name),
  })
  if (problems.length > 0) throw dagInvalid(problems)
  const variables = variablesOf(declared, fields.variables ?? {}, { declaredOnly })
  const input = { ...fields, variables }
  const unreachable = await lookupIssues(services, services.db, unitId, content.nodes)
  const issues = unreachable.map((issue) => ({ ...issue, path: `${path}${issue.path}` }))
  issues.push(...notTaken(content, input), ...answerIssues(input))
  if (issues.length > 0) throw validationError(issues)
  const plan = channelsOf(services, category)
  const speaking = { content, category, locale, unit: await findSendingUnit(services.db, unitId) }
  const now = Date.now()
  const { jumpable } = await findNamed(services.db, { unitId, subjectId: null, spokeAt: null }, content)
  const { tooManySteps, ...way } = await services.rendering.run(unitId, 'simulate', {
    graph: content,
    input,
    speaking,
    plan,
    configured: configured(services.channels),
    world: {
      context: sampleContext(locale, pattern && patternValues({ ...pattern, calendar: sampleCalendar }, now)),
      now,
      self: id,
      // Whoever has a run of this version finds its scenario active: what starts again does so before the activation as
      // well.
      jumpable: id !== null && category.enabled ? [...jumpable, id] : jumpable,
    },
  })
  if (tooManySteps !== null)
    throw new ServiceError(
      'content_violation',
      `The texts of this scenario take too many steps to fill in: all together more than ${tooManySteps.toLocaleString('en')}. Reduce their loop iterations.`,
      { violations: [tooCostly(tooManySteps)] },
    )
  const leads = await leadsOf(services.db, { id, unitId, content })
  return {
    ...way,
    warnings: await warningsOf(services.db, { id, unitId, content }, category, leads),
    cost: leads.cost,
  }
}

function tooCostly(limit: number): Violation {
  const steps = limit.toLocaleString('en')
  return {
    path: 'nodes',
    code: 'not_renderable',
    limit,
    message: {
      'zh-TW': `代入變數所需的步驟合計超過 ${steps} 步。請減少範本中迴圈的次數。`,
      en: `Filling in the variables takes more than ${steps} steps in all. Reduce the loop iterations in the texts.`,
    },
  }
}

/** The kinds of nodes that wait for an answer. */
const answered: readonly string[] = ['question', 'register', 'handoff']

/** Input for a node that is not there, or never waits for it, is a slip of the caller. */
function notTaken({ nodes }: ScenarioContent, { answers, lookups }: SimulationInput): Issue[] {
  const kinds = new Map(nodes.map(({ id, kind }) => [id, kind]))
  const issuesOf = (field: 'answers' | 'lookups', takes: readonly string[], values: object): Issue[] =>
    Object.keys(values)
      .filter((node) => !takes.includes(kinds.get(node) ?? ''))
      .map((node) => ({
        path: `${field}.${node}`,
        ...broken('not_one_of', { of: 'node_kinds', values: takes }),
      }))
  return [...issuesOf('answers', answered, answers), ...issuesOf('lookups', ['lookup'], lookups)]
}

/** The answers of Lookups that a run would not take, or of which it would not keep all: who writes one mends it at once. */
function answerIssues({ lookups }: SimulationInput): Issue[] {
  return Object.entries(lookups).flatMap(([node, answer]) => {
    if (answer === null) return []
    const bytes = Buffer.byteLength(JSON.stringify(answer))
    const fault =
      bytes > limits.runVariablesBytes
        ? broken('too_large', { limit: limits.runVariablesBytes / 1_024, unit: 'KiB' })
        : lookupAnswerFault(answer)
    return fault === null ? [] : [{ path: `lookups.${node}`, ...fault }]
  })
}

/** The channels of the plan that this installation has: the sample person can be reached on each. */
function channelsOf({ channels }: Services, { channelPlan }: Category): Channel[] {
  const plan = channelPlan.channels.filter((name) => channels[name])
  if (plan.length > 0) return plan
  throw new ServiceError(
    'not_configured',
    'None of the channels of the category is configured. Ask the operator to set one up.',
  )
}

/** An invented person to simulate a scenario with. */
function sampleContext(
  locale: Locale,
  pattern: SimulationWorld['context']['pattern'],
): SimulationWorld['context'] {
  const displayName = locale === 'en' ? 'Lin Mei' : '林美'
  return {
    person: { displayName, locale, stage: 'member' },
    subject: '00000000-0000-7000-8000-000000000000',
    pattern,
  }
}
