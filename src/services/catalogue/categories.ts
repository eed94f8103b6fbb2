import type { Category } from '../../contract/catalogue/category.ts'
import { ServiceError } from '../../contract/errors.ts'
import type { CanonicalMessage } from '../../contract/messages/content.ts'
import { broken } from '../../contract/rules.ts'
import type { Db } from '../../db/connect.ts'
import {
  findMandatory,
  listCategories as listRows,
  type Category as Row,
} from '../../db/queries/catalogue/category.ts'
import { type ActionReference, mutedCategories } from '../../domain/content/actions.ts'
import type { Services } from '../context.ts'
import { byTextId, type Page, type PageQuery, pageOf } from '../page.ts'
import { unknownReference } from '../validation-error.ts'

/** The enabled categories, by id, including those the caller's credential may not use. */
export async function listCategories(services: Services, query: PageQuery): Promise<Page<Category>> {
  return pageOf(query, byTextId, (page) => listRows(services.db, page), categoryOf)
}

/** A category as the API returns it, where `approvalRule` is `approval_rule`. */
export function categoryOf({ approvalRule, ...category }: Row): Category {
  return { ...category, approval_rule: approvalRule }
}

/**
 * The category that a body names, at this path.
 * @throws ServiceError not_found unless it exists and is enabled
 */
export function enabledCategory<Item extends Pick<Row, 'enabled'>>(
  category: Item | null | undefined,
  id: string,
  path = 'categoryId',
): Item {
  if (category?.enabled) return category
  throw unknownReference(path, 'enabled_category', `No category ${id}. See GET /v1/categories.`)
}

/**
 * Checks that no button turns off a mandatory category.
 * @throws ServiceError fixed_category, with details {issues}
 */
export async function assertNoneFixed(db: Db, messages: readonly CanonicalMessage[] = []): Promise<void> {
  return assertNotFixed(db, mutedCategories(messages))
}

/** @throws ServiceError fixed_category, with details {issues}, if one of these references names a mandatory category */
export async function assertNotFixed(db: Db, muted: readonly ActionReference[]): Promise<void> {
  if (muted.length === 0) return
  const fixed = await findMandatory(
    db,
    muted.map(({ id }) => id),
  )
  const issues = muted
    .filter(({ id }) => fixed.includes(id))
    .map(({ path, id }) => ({
      path,
      ...broken('mandatory_category', { id }),
    }))
  if (issues.length === 0) return
  throw new ServiceError('fixed_category', 'A mandatory category cannot be turned off. Remove the button.', {
    issues,
  })
}
