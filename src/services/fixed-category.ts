import { ServiceError } from '../contract/errors.ts'
import type { CanonicalMessage } from '../contract/messages/content.ts'
import type { Db } from '../db/connect.ts'
import { mandatoryAmong } from '../db/queries/catalogue/category.ts'
import { mutedCategories } from '../domain/muted-categories.ts'

/**
 * A mandatory category cannot be switched off, so no button may offer it (design 7).
 * @throws ServiceError fixed_category, with details {issues}
 */
export async function assertNoneFixed(db: Db, messages: readonly CanonicalMessage[] = []): Promise<void> {
  const muted = mutedCategories(messages)
  if (muted.length === 0) return
  const fixed = await mandatoryAmong(
    db,
    muted.map(({ categoryId }) => categoryId),
  )
  const issues = muted
    .filter(({ categoryId }) => fixed.includes(categoryId))
    .map(({ path, categoryId }) => ({
      path: `messages${path}.categoryId`,
      message: `${categoryId} is mandatory and cannot be switched off`,
    }))
  if (issues.length === 0) return
  throw new ServiceError(
    'fixed_category',
    'A mandatory category cannot be switched off: take the button away.',
    {
      issues,
    },
  )
}
