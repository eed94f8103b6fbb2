import { limits } from '../../contract/limits.ts'
import type {
  CreateTemplate,
  Template,
  TemplateDetail,
  TemplateListQuery,
} from '../../contract/templates/template.ts'
import { insertAudit } from '../../db/queries/audit/audit.ts'
import { findCategory } from '../../db/queries/catalogue/category.ts'
import {
  findTemplate,
  insertTemplate,
  insertVersion,
  listTemplates as listRows,
  type Template as TemplateRow,
} from '../../db/queries/catalogue/template.ts'
import { findTemplateUses } from '../../db/queries/catalogue/template-uses.ts'
import { insertVersionNotices } from '../../db/queries/message/notice.ts'
import { decisionsOn, type VersionFacts } from '../../domain/rights/allowed-decision.ts'
import { actorOf, type Principal } from '../../domain/rights/principal.ts'
import { assertRoomFor } from '../bounds.ts'
import { enabledCategory } from '../catalogue/categories.ts'
import type { Services } from '../context.ts'
import { assertMayAsk, assertMayUse } from '../messages/rights.ts'
import { byId, largeItems, type Page, pageOf } from '../page.ts'
import { findInUnits, unitOf } from '../unit-access.ts'
import { nowhere, type WrittenIn } from '../written-in.ts'
import { checkVersion, versionOf } from './version.ts'

/**
 * Saves a template as a draft, after checking its texts against its list of variables. `writtenIn`: what it was
 * written in, which ends with it.
 * @throws ServiceError unit_required, forbidden, category_not_allowed, not_found for the category, validation_error
 *   with a path for every text that is not valid Liquid or uses an unlisted variable, fixed_category
 */
export async function createTemplate(
  services: Services,
  principal: Principal,
  body: CreateTemplate,
  writtenIn: WrittenIn = nowhere,
): Promise<TemplateDetail> {
  const unitId = unitOf(principal, body.unitId)
  assertMayAsk(principal, 'create', unitId)
  assertMayUse(principal, body.categoryId)
  enabledCategory(await findCategory(services.db, body.categoryId), body.categoryId)
  const actor = actorOf(principal)
  const version = await checkVersion(services, unitId, body, actor)

  const id = await services.db.transaction().execute(async (trx) => {
    const authors = await writtenIn.lock(trx)
    await assertRoomFor(trx, 'templates', unitId)
    const templateId = await insertTemplate(trx, { unitId, name: body.name, categoryId: body.categoryId })
    await insertVersion(trx, templateId, { ...version, authors })
    await insertAudit(trx, { unitId, actor, action: 'create', objectKind: 'template', objectId: templateId })
    await insertVersionNotices(trx, 'template', { id: templateId, unitId, version: 1 })
    await writtenIn.end(trx, templateId)
    return templateId
  })
  return getTemplate(services, principal, id)
}

/**
 * A template with what the caller may decide about its newest version, and what uses it.
 * @throws ServiceError not_found
 */
export async function getTemplate(
  services: Services,
  principal: Principal,
  id: string,
): Promise<TemplateDetail> {
  const row = await findInUnits(services.db, principal, id, 'template', findTemplate)
  const uses = { id: row.id, unitId: row.unitId, limit: limits.templateUses }
  return {
    ...templateOf(row),
    allowed: decisionsOn(principal, 'template', templateFacts(row)),
    usedBy: await findTemplateUses(services.db, uses),
  }
}

/**
 * One page of a unit's templates, newest first.
 * @throws ServiceError unit_required, forbidden, validation_error for an invalid cursor
 */
export async function listTemplates(
  services: Services,
  principal: Principal,
  query: TemplateListQuery,
): Promise<Page<Template>> {
  const { state: states, categoryId, q } = query
  const filter = { unitId: unitOf(principal, query.unitId), states, categoryId, q }
  return pageOf(query, byId, (page) => listRows(services.db, filter, page), templateOf, largeItems)
}

/** A template as the API returns it. */
export function templateOf(row: TemplateRow): Template {
  const { id, unitId, name, categoryId, inForce } = row
  return { id, unitId, name, categoryId, inForce, ...versionOf(row) }
}

/** What decides who may decide about the newest version of a template. */
export function templateFacts({
  unitId,
  version,
  state,
  createdBy,
  authors,
  ...row
}: TemplateRow): VersionFacts {
  const { decidedBy, decidedAt, createdAt } = row
  return {
    unitId,
    version,
    waits: state === 'draft',
    last: { state, by: decidedBy ?? createdBy, at: (decidedAt ?? createdAt).toISOString() },
    authors,
  }
}
