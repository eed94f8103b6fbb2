import type { CreateEventBinding, EventBinding } from '../../contract/events/binding.ts'
import type { Trx } from '../../db/connect.ts'
import { findCategory } from '../../db/queries/catalogue/category.ts'
import { findTemplate } from '../../db/queries/catalogue/template.ts'
import type { EventBindingFields, EventBindingRow } from '../../db/queries/event/binding.ts'
import type { Principal } from '../../domain/principal.ts'
import { assertMayReach, assertMayUse } from '../messages/rights.ts'
import { idOrNull, unknownReference, validationError } from '../validation-error.ts'

/** The body of a binding. */
export type BindingBody = Omit<CreateEventBinding, 'unitId'>

/** A binding as the API returns it. */
export function bindingOf(row: EventBindingRow): EventBinding {
  return {
    id: row.id,
    unitId: row.unit_id,
    ...bodyOf(row),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}

/** The body that describes a stored binding. */
export function bodyOf({ source, type, audience, enabled, ...row }: EventBindingRow) {
  const { category_id: categoryId, template_id: templateId, key_ids: keyIds } = row
  return { source, type, categoryId, templateId, audience, keyIds, enabled }
}

/**
 * Checks a body's references and the caller's rights. An audience of individuals comes from the event, not from the
 * caller, so it does not need the right to individual targeting.
 * @throws ServiceError validation_error, category_not_allowed, audience_dimension_not_allowed, not_found
 */
export async function checkFields(
  trx: Trx,
  principal: Principal,
  unitId: string,
  body: BindingBody,
): Promise<EventBindingFields> {
  const { source, type, categoryId, templateId = null, audience, keyIds = null, enabled = true } = body
  if (body.scenarioId != null)
    throw validationError([
      { path: 'scenarioId', message: 'scenarios are not available yet; bind a template' },
    ])
  if (audience.kind === 'query') assertMayReach(principal, categoryId, audience)
  else assertMayUse(principal, categoryId)
  if (!(await findCategory(trx, categoryId))?.enabled)
    throw unknownReference('categoryId', `No category ${categoryId}. See GET /v1/categories.`)
  const template_id = idOrNull(templateId)
  if (templateId !== null && !(template_id && (await findTemplate(trx, template_id, [unitId]))))
    throw unknownReference('templateId', `The unit has no template ${templateId}. See GET /v1/templates.`)
  return { source, type, category_id: categoryId, template_id, audience, key_ids: keyIds, enabled }
}

/** The binding, disabled. Its references are not checked: a broken one may be the reason to disable it. */
export function disabledFields(row: EventBindingRow): EventBindingFields {
  const { source, type, category_id, template_id, audience, key_ids } = row
  return { source, type, category_id, template_id, audience, key_ids, enabled: false }
}
