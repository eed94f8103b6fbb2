import type {
  CreateEventBinding,
  EventBinding,
  EventBindingDetail,
  EventBindingVersion,
} from '../../contract/events/binding.ts'
import { broken } from '../../contract/rules.ts'
import type { Db, Trx } from '../../db/connect.ts'
import { findCategory } from '../../db/queries/catalogue/category.ts'
import { findTemplate, findTemplateVersion } from '../../db/queries/catalogue/template.ts'
import {
  type BindingVersion,
  type EventBindingFields,
  findPairHolder,
  type EventBinding as Row,
} from '../../db/queries/event/binding.ts'
import { findScenario, findScenarioInForce } from '../../db/queries/scenario/scenario.ts'
import type { BindingRule } from '../../domain/event/binding-change.ts'
import { idOrNull } from '../../domain/lib/id.ts'
import { type Decisions, decisionsOn, type VersionFacts } from '../../domain/rights/allowed-decision.ts'
import type { Principal } from '../../domain/rights/principal.ts'
import { actorView } from '../actor.ts'
import { enabledCategory } from '../catalogue/categories.ts'
import type { Services } from '../context.ts'
import { assertMayReach, assertMayUse } from '../messages/rights.ts'
import { unknownReference, validationError } from '../validation-error.ts'
import { claimSource } from './claim-source.ts'

/** The body of a binding. */
type BindingBody = Omit<CreateEventBinding, 'unitId'>

/** A binding as the API returns it. */
export function bindingOf({ id, unit_id, inForce, newest, created_at }: Row): EventBinding {
  return {
    id,
    unitId: unit_id,
    ...ruleOf(inForce ?? newest),
    inForce: inForce?.version ?? null,
    newest: versionOf(newest),
    createdAt: created_at.toISOString(),
    updatedAt: (newest.decided_at ?? newest.created_at).toISOString(),
  }
}

/** A binding with what the caller may decide about its newest version. */
export async function bindingDetail(
  db: Db | Trx,
  principal: Principal,
  row: Row,
): Promise<EventBindingDetail> {
  return { ...bindingOf(row), allowed: await bindingDecisions(db, principal, row) }
}

/** What the caller may decide about the newest version of a binding. */
export async function bindingDecisions(db: Db | Trx, principal: Principal, row: Row): Promise<Decisions> {
  const holder = row.newest.enabled ? await findPairHolder(db, row.newest, row.id) : undefined
  return decisionsOn(principal, 'binding', bindingFacts(row, holder !== undefined))
}

/**
 * What decides who may decide about the newest version of a binding. `claimTaken`: whether another binding of its events
 * is enabled; a call finds that out when it writes.
 */
export function bindingFacts({ unit_id: unitId, newest, authors }: Row, claimTaken = false): VersionFacts {
  const { version, state } = newest
  return { unitId, version, waits: state === 'submitted', last: lastChangeOf(newest), authors, claimTaken }
}

function versionOf(row: BindingVersion): EventBindingVersion {
  const { version, state, decided_by, decided_at, reason } = row
  return {
    version,
    state,
    ...ruleOf(row),
    author: actorView(row.created_by, row.createdByName),
    createdAt: row.created_at.toISOString(),
    decision:
      decided_by && decided_at
        ? {
            by: actorView(decided_by, row.decidedByName),
            at: decided_at.toISOString(),
            ...(reason && { reason }),
          }
        : null,
  }
}

/** The state of a version, and who gave it that state and when: the details of invalid_transition. */
export function lastChangeOf(
  row: Pick<BindingVersion, 'state' | 'decided_by' | 'decided_at' | 'created_by' | 'created_at'>,
) {
  const { state, decided_by, decided_at, created_by, created_at } = row
  return { state, by: decided_by ?? created_by, at: (decided_at ?? created_at).toISOString() }
}

/** What a stored version says. */
export function ruleOf({ source, type, audience, enabled, ...row }: EventBindingFields): BindingRule {
  const { category_id: categoryId, template_id: templateId, key_ids: keyIds } = row
  const { scenario_id: scenarioId, run_per: runPer } = row
  return { source, type, categoryId, templateId, scenarioId, runPer, audience, keyIds, enabled }
}

/** A body with its defaults. */
export function ruleIn(body: BindingBody): BindingRule {
  const { source, type, categoryId, templateId = null, scenarioId = null } = body
  const { audience, keyIds = null, enabled = true } = body
  const runPer = scenarioId === null ? null : (body.runPer ?? 'subject')
  return { source, type, categoryId, templateId, scenarioId, runPer, audience, keyIds, enabled }
}

/** The columns of a version. */
export function fieldsOf(rule: BindingRule): EventBindingFields {
  const { categoryId, templateId, scenarioId, runPer, keyIds, ...others } = rule
  const makes = { template_id: templateId, scenario_id: scenarioId, run_per: runPer }
  return { ...others, ...makes, category_id: categoryId, key_ids: keyIds }
}

/**
 * Checks what a binding would say, its references and the caller's rights. An audience of individuals comes from the
 * event, not from the caller, so it does not need the right to individual targeting.
 * @throws ServiceError validation_error, category_not_allowed, audience_dimension_not_allowed, not_found, forbidden if the
 *   unit has not claimed the source
 */
export async function checkBody(
  services: Services,
  trx: Trx,
  principal: Principal,
  unitId: string,
  body: BindingBody,
): Promise<void> {
  const { source, categoryId, templateId = null, scenarioId = null, audience } = body
  assertMakesOne(body)
  if (audience.kind === 'query') assertMayReach(principal, categoryId, audience)
  else assertMayUse(principal, categoryId)
  enabledCategory(await findCategory(trx, categoryId), categoryId)
  const id = idOrNull(templateId)
  if (templateId !== null && !(id && (await findTemplate(trx, id, [unitId]))))
    throw unknownReference(
      'templateId',
      'template',
      `The unit has no template ${templateId}. See GET /v1/templates.`,
    )
  if (scenarioId !== null) await assertScenario(trx, unitId, { scenarioId, categoryId })
  await claimSource(services, trx, principal, { unitId, source })
}

/**
 * An event makes a message or starts runs. Runs are for the event's own subjects: a message to a query waits for a person
 * each time, and nobody decides about a start (docs/design/events.md).
 */
function assertMakesOne({
  templateId = null,
  scenarioId = null,
  runPer = null,
  audience,
}: BindingBody): void {
  if (scenarioId === null && runPer === null) return
  const issues = [
    scenarioId === null && { path: 'runPer', ...broken('unexpected', { reason: 'no_scenario' }) },
    scenarioId !== null &&
      templateId !== null && { path: 'scenarioId', ...broken('unexpected', { reason: 'template' }) },
    scenarioId !== null &&
      audience.kind === 'query' && {
        path: 'audience',
        ...broken('query_with_scenario'),
      },
  ].filter((issue) => issue !== false)
  if (issues.length > 0) throw validationError(issues)
}

/** The scenario is the unit's, not retired, and of the category: the newest version's, or the one in force. */
async function assertScenario(
  trx: Trx,
  unitId: string,
  { scenarioId, categoryId }: { scenarioId: string; categoryId: string },
): Promise<void> {
  const id = idOrNull(scenarioId)
  const scenario = id === null ? undefined : await findScenario(trx, id, [unitId])
  if (!scenario)
    throw unknownReference(
      'scenarioId',
      'scenario',
      `The unit has no scenario ${scenarioId}. See GET /v1/scenarios.`,
    )
  if (scenario.state === 'retired')
    throw validationError([{ path: 'scenarioId', ...broken('inactive', { of: 'scenario' }) }])
  const inForce = await findScenarioInForce(trx, scenario.id)
  if (categoryId !== scenario.categoryId && categoryId !== inForce?.categoryId)
    throw validationError([
      { path: 'categoryId', ...broken('mismatch', { of: 'category', value: scenario.categoryId }) },
    ])
}

/**
 * Whether a person has approved what its events tell people, for the category of the binding: the version of its template
 * that messages use, or the version of its scenario that new runs follow.
 */
export async function isContentApproved(
  trx: Trx,
  unitId: string,
  { templateId, scenarioId, categoryId }: BindingRule,
): Promise<boolean> {
  if (scenarioId !== null) {
    const scenario = await findScenarioInForce(trx, scenarioId)
    return scenario?.categoryId === categoryId && !scenario.autoApproved
  }
  if (templateId === null) return false
  const template = await findTemplate(trx, templateId, [unitId])
  if (template?.categoryId !== categoryId) return false
  return (await findTemplateVersion(trx, templateId, template.inForce))?.state === 'approved'
}
