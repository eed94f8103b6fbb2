import type { CreateCategory, EditCategory } from '../../contract/admin/category.ts'
import type { Category } from '../../contract/catalogue/category.ts'
import { ServiceError } from '../../contract/errors.ts'
import { broken } from '../../contract/rules.ts'
import type { Db } from '../../db/connect.ts'
import { insertAudit } from '../../db/queries/audit/audit.ts'
import {
  insertCategory,
  listCategories as listRows,
  lockCategory,
  updateCategory,
} from '../../db/queries/catalogue/category.ts'
import { defaultAcknowledgement } from '../../domain/content/acknowledgement.ts'
import { changedFields } from '../../domain/lib/changed-fields.ts'
import { assertRoomFor } from '../bounds.ts'
import { categoryOf } from '../catalogue/categories.ts'
import { assertVisible } from '../catalogue/visible-name.ts'
import { byTextId, type Page, type PageQuery, pageOf } from '../page.ts'
import { validationError } from '../validation-error.ts'

/** All categories by id, disabled ones included. */
export async function listAllCategories(db: Db, query: PageQuery): Promise<Page<Category>> {
  return pageOf(query, byTextId, (page) => listRows(db, { ...page, all: true }), categoryOf)
}

/**
 * @throws ServiceError validation_error if the id exists, if its automatic check could approve no message, or if its name
 *   has invisible characters
 */
export async function createCategory(db: Db, actor: string, body: CreateCategory): Promise<Category> {
  const category = { ...defaults, ...body }
  assertApproves(category)
  assertVisible(body.name)
  const { approval_rule: approvalRule, ...rest } = category
  await db.transaction().execute(async (trx) => {
    await assertRoomFor(trx, 'categories', null)
    const row = await insertCategory(trx, { ...rest, approvalRule }, actor)
    if (!row)
      throw validationError([
        {
          path: 'id',
          ...broken('taken', { of: 'category' }),
        },
      ])
    const audit = { unitId: null, actor, action: 'create', details: { layer: category.layer, approvalRule } }
    await insertAudit(trx, { ...audit, objectKind: 'category', objectId: body.id })
  })
  return category
}

const defaults = {
  consentScope: null,
  approval_rule: 'manual',
  autoMaxRecipients: 0,
  quietHours: null,
  frequencyCap: null,
  onUnknown: 'keep',
  acknowledgement: defaultAcknowledgement,
  holdSeconds: 0,
  links: 'direct',
  enabled: true,
} as const

/** @throws ServiceError not_found, and validation_error as `createCategory` */
export function editCategory(db: Db, actor: string, id: string, patch: EditCategory): Promise<Category> {
  return db.transaction().execute(async (trx) => {
    const before = await lockCategory(trx, id)
    if (!before) throw new ServiceError('not_found', `No category ${id}. Check the id.`)
    const category = { ...categoryOf(before), ...patch }
    assertApproves(category)
    assertVisible(patch.name)
    const fields = changedFields(categoryOf(before), patch)
    if (fields.length === 0) return category
    const { approval_rule: approvalRule, ...rest } = category
    await updateCategory(trx, { ...rest, approvalRule }, actor)
    const audit = { unitId: null, actor, action: 'edit', details: { fields } }
    await insertAudit(trx, { ...audit, objectKind: 'category', objectId: id })
    return category
  })
}

/** Rejects an automatic check that can approve no message, a mistake that would otherwise show only in review. */
function assertApproves({
  approval_rule,
  autoMaxRecipients,
}: Pick<Category, 'approval_rule' | 'autoMaxRecipients'>) {
  if (approval_rule === 'manual' || autoMaxRecipients > 0) return
  throw validationError([
    { path: 'autoMaxRecipients', ...broken('too_small', { limit: 1, reason: 'automatic' }) },
  ])
}
