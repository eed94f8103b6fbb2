import { ServiceError } from '../../contract/errors.ts'
import { broken } from '../../contract/rules.ts'
import type { PutScenario, Scenario } from '../../contract/scenarios/scenario.ts'
import type { Trx } from '../../db/connect.ts'
import { type Category, findCategory } from '../../db/queries/catalogue/category.ts'
import { insertVersionNotices } from '../../db/queries/message/notice.ts'
import { findPatternOf } from '../../db/queries/pattern/pattern.ts'
import {
  findDesign,
  findScenario,
  insertScenarioVersion,
  lockScenario,
  type Scenario as Row,
  retireScenario,
  setScenarioState,
  submitScenarioVersion,
} from '../../db/queries/scenario/scenario.ts'
import { hasOpenRuns } from '../../db/queries/scenario-run/start.ts'
import { canonicalJson } from '../../domain/lib/canonical-json.ts'
import { idOrNull } from '../../domain/lib/id.ts'
import type { WholeDesign } from '../../domain/pattern/terms.ts'
import { organisersRefusal } from '../../domain/rights/answers.ts'
import { actorOf, type Principal } from '../../domain/rights/principal.ts'
import { activationReason, triggersOf } from '../../domain/scenario/activation.ts'
import { notGivenByPeople } from '../../domain/scenario/version-warnings.ts'
import { writeNamed } from '../answers/organisers.ts'
import { assertRoomFor } from '../bounds.ts'
import type { Services } from '../context.ts'
import { assertMayAsk, assertMayReachIndividuals, assertMayUse } from '../messages/rights.ts'
import { refuse } from '../refuse.ts'
import { findInUnits, orNotFound } from '../unit-access.ts'
import { validationError } from '../validation-error.ts'
import { auditScenario } from './audit.ts'
import { checkContent, type ScenarioBody } from './check-content.ts'
import { checkTexts } from './check-texts.ts'
import { contentIn } from './content-in.ts'
import { assertJumpsEnd } from './jumps.ts'
import { assertTriggersFree, makeActive, putInForce } from './put-in-force.ts'
import { lastChangeOf, scenarioOf } from './view.ts'

/** A change under way: the scenario is locked. */
type Change = { services: Services; trx: Trx; principal: Principal }

/**
 * Changes a scenario: other content becomes a new version, and a state is asked for.
 * @throws ServiceError not_found, forbidden, category_not_allowed for its category, before and after,
 *   individual_targeting_disabled if its farewell would be sent, validation_error, invalid_transition if the scenario is retired, has never
 *   been in force, has a newer version than `ifMatch`, or another one has its triggers; and what `checkContent` and
 *   `checkTexts` throw
 */
export async function putScenario(
  services: Services,
  principal: Principal,
  id: string,
  { unitId: named, state, organisers, ...content }: PutScenario,
  { ifMatch }: { ifMatch?: number | undefined } = {},
): Promise<Scenario> {
  return services.db.transaction().execute(async (trx) => {
    const change = { services, trx, principal }
    const row = await findInUnits(trx, principal, id, 'scenario', lockScenario)
    assertMayAsk(principal, 'create', row.unitId)
    assertMayUse(principal, row.categoryId)
    assertSameUnit(principal, row, named)
    if (ifMatch !== undefined && ifMatch !== row.version)
      throw transitionError(row, `version ${ifMatch} is not the newest. Get the scenario again, then retry.`)
    const body = wholeContent(content)
    if (row.state === 'retired' && (state !== 'retired' || body))
      throw transitionError(row, 'the scenario is retired for good. Create another one.', 'retired')
    const current = body ? await write(change, row, body) : row
    if (organisers !== undefined) await nameOrganisers(change, current, organisers)
    if (state === 'active') {
      if (row.state === 'paused' && !body) await resume(change, row)
      else await activate(change, current)
    }
    if (state === 'paused') await pause(change, current)
    if (state === 'retired') await retire(change, current)
    return scenarioOf(trx, principal, await reread(change, row.id))
  })
}

/** A key acts for its own unit, whatever a body names. */
function assertSameUnit({ kind }: Principal, { unitId }: Row, named: string | undefined): void {
  if (kind === 'producer' || !named || idOrNull(named) === unitId) return
  throw validationError([{ path: 'unitId', ...broken('mismatch', { of: 'unit', value: unitId }) }])
}

/** The content of a change; undefined if it has none. The schema has checked that it is whole. */
function wholeContent({
  name,
  categoryId,
  nodes,
  edges,
  ...rest
}: Omit<PutScenario, 'unitId' | 'state' | 'organisers'>): ScenarioBody | undefined {
  if (name === undefined || categoryId === undefined || nodes === undefined || edges === undefined) return
  return { name, categoryId, nodes, edges, ...rest }
}

async function write(change: Change, row: Row, body: ScenarioBody): Promise<Row> {
  const { services, trx, principal } = change
  await checkContent(services, trx, principal, belongs(row), body)
  const next = contentIn(body)
  const { name, categoryId, content } = row
  if (canonicalJson(next) === canonicalJson({ name, categoryId, content })) return row
  return addVersion(change, row, next)
}

/** The same content as another version. */
async function repeatVersion(change: Change, row: Row): Promise<Row> {
  const { name, categoryId, content } = row
  const design = await findDesign(change.trx, row)
  return addVersion(change, row, { name, categoryId, content, ...(design && { design }) })
}

async function addVersion(
  change: Change,
  { id, unitId }: Pick<Row, 'id' | 'unitId'>,
  next: ReturnType<typeof contentIn> & { design?: WholeDesign },
): Promise<Row> {
  const { trx, principal } = change
  await assertRoomFor(trx, 'scenarioVersions', id)
  const version = await insertScenarioVersion(trx, id, { ...next, createdBy: actorOf(principal) })
  await auditScenario(trx, principal, 'edit', { id, unitId, version })
  return reread(change, id)
}

/** Names who is to read the answers in a pattern, which its approver sees: afterwards only an approver may change them. */
async function nameOrganisers({ trx, principal }: Change, row: Row, organisers: string[]): Promise<void> {
  const pattern = await findPatternOf(trx, row.id)
  if (!pattern)
    throw validationError([{ path: 'organisers', ...broken('unexpected', { reason: 'no_pattern' }) }])
  const isFirst = row.inForce === null && row.versionState !== 'submitted'
  if (!isFirst) refuse(organisersRefusal(principal, row.unitId))
  await writeNamed(trx, principal, { kind: 'pattern', id: pattern.id, unitId: row.unitId }, organisers)
}

async function reread({ trx, principal }: Change, id: string): Promise<Row> {
  return findInUnits(trx, principal, id, 'scenario', findScenario)
}

/** Ends a pause. The version in force goes on; a newer one stays as it is (docs/design/scenarios.md). */
async function resume({ trx, principal }: Change, row: Row): Promise<void> {
  await makeActive(trx, row.id)
  await auditScenario(trx, principal, 'resume', row)
}

/** Asks for the activation of the newest version. The content in force, given in a pause, only ends that. */
async function activate(change: Change, row: Row): Promise<void> {
  const { trx } = change
  if (row.versionState === 'in_force') {
    if (row.state === 'paused') await resume(change, row)
    return
  }
  if (row.versionState === 'submitted') return setScenarioState(trx, row.id, row.state, true)
  // A decision stays with the version that it is about: what was rejected or withdrawn is asked for as another version.
  const decided = row.versionState === 'rejected' || row.versionState === 'withdrawn'
  await askFor(change, decided ? await repeatVersion(change, row) : row)
}

async function askFor({ services, trx, principal }: Change, row: Row): Promise<void> {
  const { id, unitId, version, name, triggers, content } = row
  const category = await usableCategory(trx, row.categoryId)
  await checkContent(services, trx, principal, belongs(row), { ...content, name, categoryId: category.id })
  assertStartable(row)
  await checkTexts(services, trx, { id, unitId, name, category }, content)
  const reason = activationReason(category, triggers)
  if (reason === null) {
    const decision = { by: 'system:auto', autoApproved: true, submittedBy: actorOf(principal) }
    const { promoted } = await putInForce(trx, row, decision)
    if (promoted > 0) assertMayReachIndividuals(principal)
    await makeActive(trx, id)
    await auditScenario(trx, principal, 'submit', row)
    await auditScenario(trx, principal, 'approve', row, { by: 'system:auto' })
    return
  }
  await assertJumpsEnd(trx, row)
  await assertTriggersFree(trx, row)
  await submitScenarioVersion(trx, row, { reason, by: actorOf(principal) })
  await setScenarioState(trx, id, row.state, true)
  await auditScenario(trx, principal, 'submit', row)
  await insertVersionNotices(trx, 'scenario', { id, unitId, version })
}

function belongs({ unitId, pattern }: Row) {
  return { unitId, pattern: pattern !== null }
}

/** A trigger gives no variables: its runs would fail at the first text that names one, and say nothing. */
function assertStartable({ content, triggers }: Row): void {
  if (triggersOf(triggers).length === 0) return
  const issues = notGivenByPeople(content.variables ?? []).map(({ path, message }) => ({
    path: `${path}.required`,
    ...broken('not_given_by_people', { because: message }),
  }))
  if (issues.length > 0) throw validationError(issues)
}

async function usableCategory(trx: Trx, id: string): Promise<Category> {
  const category = orNotFound(await findCategory(trx, id), 'category')
  if (category.enabled) return category
  throw validationError([{ path: 'categoryId', ...broken('inactive', { of: 'category', id }) }])
}

async function pause({ trx, principal }: Change, row: Row): Promise<void> {
  if (row.state === 'draft')
    throw transitionError(row, 'no version of the scenario is in force. Activate it first.', 'draft')
  if (row.state === 'active') await auditScenario(trx, principal, 'pause', row)
  await setScenarioState(trx, row.id, 'paused')
}

/** Ends a scenario for good. Each open run says the farewell of its own version, which was approved with it. */
async function retire({ trx, principal }: Change, row: Row): Promise<void> {
  if (row.state === 'retired') return
  if (row.content.farewell && (await hasOpenRuns(trx, row.id))) assertMayReachIndividuals(principal)
  await retireScenario(trx, row.id)
  await auditScenario(trx, principal, 'retire', row)
}

/** `state`: of the scenario, where that is the reason; otherwise that of its newest version. */
export function transitionError(row: Row, why: string, state?: string): ServiceError {
  return new ServiceError('invalid_transition', `The change is not possible: ${why}`, {
    ...lastChangeOf(row),
    ...(state && { state }),
  })
}
