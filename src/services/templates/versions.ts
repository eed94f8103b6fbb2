import type {
  CreateTemplateVersion,
  TemplateDetail,
  TemplateVersionPage,
} from '../../contract/templates/template.ts'
import { insertAudit } from '../../db/queries/audit/audit.ts'
import {
  findTemplate,
  insertVersion,
  listTemplateVersions as listRows,
  lockTemplate,
  type TemplateVersion,
} from '../../db/queries/catalogue/template.ts'
import { insertVersionNotices } from '../../db/queries/message/notice.ts'
import { actorOf, type Principal } from '../../domain/rights/principal.ts'
import { assertRoomFor } from '../bounds.ts'
import type { Services } from '../context.ts'
import { assertMayAsk, assertMayUse } from '../messages/rights.ts'
import { byNumber, largeItems, type PageQuery, pageOf } from '../page.ts'
import { findInUnits } from '../unit-access.ts'
import { nowhere, type WrittenIn } from '../written-in.ts'
import { getTemplate } from './templates.ts'
import { checkVersion, versionOf } from './version.ts'

/**
 * Saves a new version of a template as a draft, which replaces an undecided one. Messages continue to use the newest
 * approved version. `writtenIn`: what it was written in, which ends with it.
 * @throws ServiceError not_found, forbidden, category_not_allowed, validation_error, fixed_category
 */
export async function createTemplateVersion(
  services: Services,
  principal: Principal,
  id: string,
  body: CreateTemplateVersion,
  writtenIn: WrittenIn = nowhere,
): Promise<TemplateDetail> {
  const { unitId, categoryId } = await findInUnits(services.db, principal, id, 'template', findTemplate)
  assertMayAsk(principal, 'create', unitId)
  assertMayUse(principal, categoryId)
  const actor = actorOf(principal)
  const draft = await checkVersion(services, unitId, body, actor)
  await services.db.transaction().execute(async (trx) => {
    const authors = await writtenIn.lock(trx)
    await lockTemplate(trx, id)
    await assertRoomFor(trx, 'templateVersions', id)
    const version = await insertVersion(trx, id, { ...draft, authors })
    const audit = { unitId, actor, action: 'version', details: { version } }
    await insertAudit(trx, { ...audit, objectKind: 'template', objectId: id })
    await insertVersionNotices(trx, 'template', { id, unitId, version })
    await writtenIn.end(trx, id)
  })
  return getTemplate(services, principal, id)
}

/**
 * One page of a template's versions, newest first.
 * @throws ServiceError not_found, validation_error for an invalid cursor
 */
export async function listTemplateVersions(
  services: Services,
  principal: Principal,
  id: string,
  query: PageQuery,
): Promise<TemplateVersionPage> {
  await findInUnits(services.db, principal, id, 'template', findTemplate)
  return pageOf(
    query,
    byNumber(({ version }: TemplateVersion) => version, 9),
    (page) => listRows(services.db, id, page),
    versionOf,
    largeItems,
  )
}
