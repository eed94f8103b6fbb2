import type { CanonicalMessage } from '../../contract/messages/content.ts'
import type { Db } from '../../db/connect.ts'
import { findKnown } from '../../db/queries/catalogue/category.ts'
import { findStatic } from '../../db/queries/catalogue/group.ts'
import type { Violation } from '../../domain/audience.ts'
import { referencesIn, unknownTarget } from '../../domain/content-check.ts'
import { idOrNull } from '../validation-error.ts'

/** The violations of actions of a message that would do nothing. */
export function unknownReferences(
  db: Db,
  unitId: string,
  messages: readonly CanonicalMessage[],
): Promise<Violation[]> {
  return unknownTargets(db, unitId, referencesIn(messages))
}

/**
 * The violations of references that would do nothing: to a category that does not exist (a disabled one does), or to a
 * group that is not a static group of the unit. Reads only if there are such references.
 */
export async function unknownTargets(
  db: Db,
  unitId: string,
  { categories, groups }: ReturnType<typeof referencesIn>,
): Promise<Violation[]> {
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
