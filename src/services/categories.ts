import type { Category } from '../contract/templates/category.ts'
import { listCategories as listRows, type Category as Row } from '../db/queries/catalogue/category.ts'
import type { Services } from './context.ts'
import { keyOf, type Page, pageOf } from './page.ts'

/** The enabled categories, by id. All of them: a credential that may not use one is told so when it tries. */
export async function listCategories(
  services: Services,
  query: { cursor?: string; limit: number },
): Promise<Page<Category>> {
  const rows = await listRows(services.db, { after: keyOf(query.cursor), limit: query.limit + 1 })
  return pageOf(rows, query.limit, (row) => row.id, categoryOf)
}

/** A category as it crosses the wire; `approval_rule` is the interface's spelling. */
export function categoryOf({ approvalRule, ...category }: Row): Category {
  return { ...category, approval_rule: approvalRule }
}
