import { ServiceError } from '../../contract/errors.ts'
import type { CreateTemplate, Template, TemplateListQuery } from '../../contract/template.ts'
import { insertAudit } from '../../db/queries/audit.ts'
import { findCategory } from '../../db/queries/category.ts'
import {
  findTemplate,
  listTemplates as listRows,
  type Template as TemplateRow,
} from '../../db/queries/template.ts'
import { insertTemplate } from '../../db/queries/template-write.ts'
import { actorOf, type Principal } from '../../domain/principal.ts'
import { checkTemplate } from '../../domain/template-check.ts'
import type { Services } from '../context.ts'
import { assertNoneFixed } from '../fixed-category.ts'
import { idOrNull, invalid, unknownReference } from '../invalid.ts'
import { actor } from '../messages/item.ts'
import { assertMayAsk, assertMayUse } from '../messages/rights.ts'
import { idOfCursor, type Page, pageOf } from '../page.ts'
import { unitOf, unitsOf } from '../unit-of.ts'

/**
 * Saves a template as a draft, its texts held against its list of variables.
 * @throws ServiceError unit_required, forbidden, category_not_allowed, not_found for the category, validation_error with
 *   a path for every text that is no Liquid or uses an unlisted variable
 */
export async function createTemplate(
  services: Services,
  principal: Principal,
  body: CreateTemplate,
): Promise<Template> {
  const unitId = unitOf(principal, body.unitId)
  assertMayAsk(principal, 'create', unitId)
  assertMayUse(principal, body.categoryId)
  const category = await findCategory(services.db, body.categoryId)
  if (!category?.enabled)
    throw unknownReference('categoryId', `There is no category ${body.categoryId}. See GET /v1/categories.`)

  const { messages, subject = null, variables = [] } = body
  const issues = checkTemplate({ messages, subject }, variables)
  if (issues.length > 0) throw invalid(issues)
  await assertNoneFixed(services.db, messages)

  const createdBy = actorOf(principal)
  const id = await services.db.transaction().execute(async (trx) => {
    const { name, categoryId } = body
    const made = await insertTemplate(trx, {
      unitId,
      name,
      categoryId,
      messages,
      subject,
      variables,
      createdBy,
    })
    await insertAudit(trx, {
      unitId,
      actor: createdBy,
      action: 'create',
      objectKind: 'template',
      objectId: made,
    })
    return made
  })
  return getTemplate(services, principal, id)
}

/** @throws ServiceError not_found */
export async function getTemplate(services: Services, principal: Principal, id: string): Promise<Template> {
  const known = idOrNull(id)
  const row = known && (await findTemplate(services.db, known, unitsOf(principal)))
  if (!row) throw new ServiceError('not_found', 'There is no such template. Check the id.')
  return templateOf(row)
}

/**
 * One page of a unit's templates, newest first.
 * @throws ServiceError unit_required, forbidden, validation_error for a cursor that is none
 */
export async function listTemplates(
  services: Services,
  principal: Principal,
  query: TemplateListQuery,
): Promise<Page<Template>> {
  const rows = await listRows(services.db, {
    unitId: unitOf(principal, query.unitId),
    states: query.state,
    categoryId: query.categoryId,
    before: idOfCursor(query.cursor),
    limit: query.limit + 1,
  })
  return pageOf(rows, query.limit, (row) => row.id, templateOf)
}

function templateOf(row: TemplateRow): Template {
  const { id, unitId, name, categoryId, state, version, messages, subject, variables } = row
  return {
    id,
    unitId,
    name,
    categoryId,
    state,
    version,
    messages,
    subject,
    variables,
    author: actor(row.createdBy, row.createdByName),
    createdAt: row.createdAt.toISOString(),
    decision: row.decidedBy && row.decidedAt ? decisionOf(row, row.decidedBy, row.decidedAt) : null,
  }
}

function decisionOf(row: TemplateRow, by: string, at: Date): Template['decision'] {
  return {
    by: actor(by, row.decidedByName),
    at: at.toISOString(),
    ...(row.reason && { reason: row.reason }),
  }
}
