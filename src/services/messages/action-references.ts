import type { CanonicalMessage } from '../../contract/messages/content.ts'
import type { Db } from '../../db/connect.ts'
import { findKnown } from '../../db/queries/catalogue/category.ts'
import { findStatic } from '../../db/queries/catalogue/group.ts'
import type { Violation } from '../../domain/audience.ts'
import { referencesIn, unknownTarget } from '../../domain/content-check.ts'
import { idOrNull } from '../validation-error.ts'

/**
 * The violations of actions that would do nothing: they name a category that does not exist (a disabled one does), or a
 * group that is not a static group of the unit. Reads only if there are such actions.
 */
export async function unknownReferences(
  db: Db,
  unitId: string,
  messages: readonly CanonicalMessage[],
): Promise<Violation[]> {
  const { categories, groups } = referencesIn(messages)
  const ids = groups.map(({ id }) => id).filter((id) => idOrNull(id) !== null)
  const known =
    categories.length === 0
      ? []
      : await findKnown(
          db,
          categories.map(({ id }) => id),
        )
  const joinable = ids.length === 0 ? [] : await findStatic(db, unitId, ids)
  return [
    ...categories
      .filter(({ id }) => !known.includes(id))
      .map((reference) => unknownTarget(reference, 'category')),
    ...groups
      .filter(({ id }) => !joinable.includes(id.toLowerCase()))
      .map((reference) => unknownTarget(reference, 'group')),
  ]
}
