import { ServiceError } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import { type Broken, broken } from '../../contract/rules.ts'
import type { CreateScenario } from '../../contract/scenarios/scenario.ts'
import type { Db } from '../../db/connect.ts'
import { findCategory } from '../../db/queries/catalogue/category.ts'
import { findUnit, type Unit } from '../../db/queries/identity/unit.ts'
import type { Violation } from '../../domain/audience/audience.ts'
import { type ActionReference, joinedGroups, mutedCategories } from '../../domain/content/actions.ts'
import { normaliseText } from '../../domain/lib/normalise-text.ts'
import type { Principal } from '../../domain/rights/principal.ts'
import { administrativeTriggers } from '../../domain/scenario/activation.ts'
import {
  exitKeywords,
  isExitKeyword,
  isSettingsKeyword,
  settingsKeywords,
} from '../../domain/scenario/auto-reply.ts'
import { type GraphProblem, graphProblems } from '../../domain/scenario/graph-problems.ts'
import { unknownPersonFields } from '../../domain/scenario/named-variables.ts'
import { jumpTargets, textsOf } from '../../domain/scenario/node-texts.ts'
import { assertNotFixed, enabledCategory } from '../catalogue/categories.ts'
import type { Services } from '../context.ts'
import { lookupWay } from '../lookups/way.ts'
import { unknownTargets } from '../messages/action-references.ts'
import { assertMayUse } from '../messages/rights.ts'
import { orNotFound } from '../unit-access.ts'
import { type Issue, validationError } from '../validation-error.ts'

/** What the addresses of Lookups are checked with. */
type Parts = Pick<Services, 'outbound' | 'signingKeys'>

/** Where a version belongs. `pattern`: whether a pattern generated the scenario. */
type Belongs = { unitId: string; pattern: boolean }

/** What a version says, as its author writes it. */
export type ScenarioBody = Omit<CreateScenario, 'unitId'>

/**
 * Checks a version when it is saved: its graph, the caller's right to its category, and that whatever it names exists.
 * Texts are checked at its activation.
 * @throws ServiceError category_not_allowed, not_found for the category, forbidden for the trigger follow or a common word
 *   as keyword of an ordinary unit, dag_invalid with every problem of the graph, fixed_category, validation_error for
 *   keywords, variables, times and Lookups, content_violation for groups, categories and scenarios that do not exist
 */
export async function checkContent(
  services: Parts,
  db: Db,
  principal: Principal,
  { unitId, pattern }: Belongs,
  body: ScenarioBody,
): Promise<void> {
  assertMayUse(principal, body.categoryId)
  enabledCategory(await findCategory(db, body.categoryId), body.categoryId)
  const unit = orNotFound(await findUnit(db, unitId), 'unit')
  checkTriggers(unit, body)
  checkVariables(body)
  checkGraph(unit, pattern, body)
  checkWaits(body)
  checkPersonFields(body)
  const unreachable = await lookupIssues(services, db, unitId, body.nodes)
  if (unreachable.length > 0) throw validationError(unreachable)
  await checkReferences(db, unitId, body)
}

function checkTriggers({ kind }: Unit, { triggers }: ScenarioBody): void {
  const issues = (triggers?.keywords ?? []).flatMap((keyword, index) => {
    const fault = keywordFault(keyword)
    return fault === null ? [] : [{ path: `triggers.keywords[${index}]`, ...fault }]
  })
  if (issues.length > 0) throw validationError(issues)
  if (kind === 'administrative') return
  for (const trigger of administrativeTriggers)
    if (triggers?.[trigger])
      throw new ServiceError(
        'forbidden',
        `Only a scenario of an administrative unit may have triggers.${trigger}, which answers everybody. Remove it, or ask that unit.`,
      )
  const common = triggers?.keywords?.filter(isCommonWord) ?? []
  if (common.length === 0) return
  const named = common.map((keyword) => `“${keyword.trim()}”`).join(', ')
  throw new ServiceError(
    'forbidden',
    `Only a scenario of an administrative unit may start with ${named}: people write that to the whole institution. ` +
      'Use a keyword that names what your scenario is about, or ask that unit.',
  )
}

/** Why no message can match this keyword; null: one can. */
function keywordFault(keyword: string): Broken | null {
  const text = normaliseText(keyword)
  if (/^[\p{Default_Ignorable_Code_Point}\s]*$/u.test(text))
    return broken('wrong_format', { format: 'keyword' })
  if (isExitKeyword(keyword)) return broken('reserved', { of: 'exit_keyword', values: exitKeywords })
  if (isSettingsKeyword(keyword))
    return broken('reserved', { of: 'settings_keyword', values: settingsKeywords })
  return null
}

function checkVariables({ variables = [] }: ScenarioBody): void {
  const names = variables.map(({ name }) => name)
  const issues = names.flatMap((name, index) =>
    names.indexOf(name) === index
      ? []
      : [{ path: `variables[${index}].name`, ...broken('repeated', { of: 'variable', value: name }) }],
  )
  if (issues.length > 0) throw validationError(issues)
}

function checkGraph({ kind }: Unit, pattern: boolean, { nodes, edges, variables = [] }: ScenarioBody): void {
  const context = {
    pattern,
    administrative: kind === 'administrative',
    variables: variables.map(({ name }) => name),
  }
  const problems = graphProblems({ nodes, edges }, context)
  if (problems.length > 0) throw dagInvalid(problems)
}

/** A text that names what nobody has would fail for everybody. */
function checkPersonFields({ nodes }: ScenarioBody): void {
  const issues = unknownPersonFields(nodes)
  if (issues.length > 0) throw validationError(issues)
}

/** The times until which nodes wait, by the rule of `walk`. */
function checkWaits({ nodes }: ScenarioBody): void {
  const latest = Date.now() + limits.scenarioWaitSeconds * 1_000
  const issues = nodes.flatMap((node, index) =>
    node.kind === 'wait' && node.until !== undefined && Date.parse(node.until) > latest
      ? [
          {
            path: `nodes[${index}].until`,
            ...broken('too_far_ahead', { limit: limits.scenarioWaitSeconds / 86_400, unit: 'days' }),
          },
        ]
      : [],
  )
  if (issues.length > 0) throw validationError(issues)
}

/** The error of a graph with problems: 400 dag_invalid with all of them. */
export function dagInvalid(problems: GraphProblem[]): ServiceError {
  const [first] = problems
  const at = first?.node ?? (first?.edge && `${first.edge.from} → ${first.edge.to}`)
  return new ServiceError(
    'dag_invalid',
    `The graph has ${problems.length} problem(s); details.problems lists them. The first${at ? `, at ${at}` : ''}: ${first?.message.en}`,
    { problems },
  )
}

/** The addresses of Lookups that may not be called, by the same rule as each call of them. */
export async function lookupIssues(
  services: Parts,
  db: Db,
  unitId: string,
  nodes: ScenarioBody['nodes'],
): Promise<Issue[]> {
  const issues: Issue[] = []
  for (const [index, node] of nodes.entries()) {
    if (node.kind !== 'lookup') continue
    const way = await lookupWay(services, db, unitId, node.url)
    if ('rule' in way) issues.push({ path: `nodes[${index}].url`, ...way })
  }
  return issues
}

/** The groups, categories and scenarios that nodes and buttons name. */
async function checkReferences(db: Db, unitId: string, { nodes }: ScenarioBody): Promise<void> {
  const texts = textsOf(nodes)
  const named = (referencesIn: (messages: (typeof texts)[number]['messages']) => ActionReference[]) =>
    texts.flatMap(({ messages, at }) =>
      referencesIn(messages).map(({ path, id }) => ({ path: at(path), id })),
    )
  const categories = named(mutedCategories)
  const groups = nodes.flatMap((node, index) =>
    node.kind === 'addToGroup' ? [{ path: `nodes[${index}].groupId`, id: node.groupId }] : [],
  )
  await assertNotFixed(db, categories)
  const violations = await unknownTargets(db, unitId, {
    categories,
    groups: [...groups, ...named(joinedGroups)],
    scenarios: jumpTargets(nodes),
  })
  if (violations.length > 0) throw contentViolation(violations)
}

/** The error of a scenario that cannot be said as it is. */
export function contentViolation(violations: Violation[]): ServiceError {
  return new ServiceError(
    'content_violation',
    `The scenario cannot be used as it is; details list ${violations.length} violation(s). Change it, then retry.`,
    { violations },
  )
}

/**
 * What people write who do not know whom they write to, in both languages. A keyword starts one scenario in the whole
 * installation, so that only an administrative unit may claim these for it (docs/design/scenarios.md).
 */
export const commonWords: readonly string[] = [
  ...['hello', 'hi', 'start', 'menu', 'info', 'contact', 'agent', 'human'],
  ...[
    'emergency',
    '幫助',
    '協助',
    '求助',
    '說明',
    '你好',
    '您好',
    '開始',
    '選單',
    '資訊',
    '聯絡',
    '客服',
    '真人',
  ],
  ...['人工', '退訂', '緊急'],
]

/** Whether a keyword is one of them, whatever its case, width, spaces and punctuation; signs alone, as `?`, are. */
export function isCommonWord(keyword: string): boolean {
  const bare = normaliseText(keyword).replaceAll(/[\p{P}\s]+/gu, '')
  return bare === '' || commonWords.includes(bare)
}
