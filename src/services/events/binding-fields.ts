import type {
  CreateEventBinding,
  EventBinding,
  EventBindingDetail,
  EventBindingVersion,
} from '../../contract/events/binding.ts'
import type { Db, Trx } from '../../db/connect.ts'
import { findCategory } from '../../db/queries/catalogue/category.ts'
import { findTemplate, findTemplateVersion } from '../../db/queries/catalogue/template.ts'
import {
  type BindingVersion,
  type EventBindingFields,
  findPairHolder,
  type EventBinding as Row,
} from '../../db/queries/event/binding.ts'
import { type Decisions, decisionsOn, type VersionFacts } from '../../domain/allowed-decision.ts'
import type { BindingRule } from '../../domain/binding-change.ts'
import type { Principal } from '../../domain/principal.ts'
import { actorView } from '../actor.ts'
import { assertMayReach, assertMayUse } from '../messages/rights.ts'
import { idOrNull, unknownReference, validationError } from '../validation-error.ts'

/** The body of a binding. */
export type BindingBody = Omit<CreateEventBinding, 'unitId'>

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
export function bindingFacts({ unit_id: unitId, newest }: Row, claimTaken = false): VersionFacts {
  const { version, state, authors } = newest
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
  return { source, type, categoryId, templateId, audience, keyIds, enabled }
}

/** A body with its defaults. */
export function ruleIn(body: BindingBody): BindingRule {
  const { source, type, categoryId, templateId = null, audience, keyIds = null, enabled = true } = body
  return { source, type, categoryId, templateId, audience, keyIds, enabled }
}

/** The columns of a version. */
export function fieldsOf({ categoryId, templateId, keyIds, ...rule }: BindingRule): EventBindingFields {
  return { ...rule, category_id: categoryId, template_id: templateId, key_ids: keyIds }
}

/**
 * Checks a body's references and the caller's rights. An audience of individuals comes from the event, not from the
 * caller, so it does not need the right to individual targeting.
 * @throws ServiceError validation_error, category_not_allowed, audience_dimension_not_allowed, not_found
 */
export async function checkBody(
  trx: Trx,
  principal: Principal,
  unitId: string,
  body: BindingBody,
): Promise<void> {
  const { categoryId, templateId = null, audience } = body
  if (body.scenarioId != null)
    throw validationError([
      { path: 'scenarioId', message: 'must be omitted: scenarios are not available yet; bind a template' },
    ])
  if (audience.kind === 'query') assertMayReach(principal, categoryId, audience)
  else assertMayUse(principal, categoryId)
  if (!(await findCategory(trx, categoryId))?.enabled)
    throw unknownReference(
      'categoryId',
      'an enabled category',
      `No category ${categoryId}. See GET /v1/categories.`,
    )
  const id = idOrNull(templateId)
  if (templateId !== null && !(id && (await findTemplate(trx, id, [unitId]))))
    throw unknownReference(
      'templateId',
      'a template of the unit',
      `The unit has no template ${templateId}. See GET /v1/templates.`,
    )
}

/** Whether the version of its template that messages use is approved, for the category of the binding. */
export async function isTemplateApproved(
  trx: Trx,
  unitId: string,
  { templateId, categoryId }: BindingRule,
): Promise<boolean> {
  if (templateId === null) return false
  const template = await findTemplate(trx, templateId, [unitId])
  if (template?.categoryId !== categoryId) return false
  return (await findTemplateVersion(trx, templateId, template.inForce))?.state === 'approved'
}
