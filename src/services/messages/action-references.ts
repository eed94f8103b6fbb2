import type { CanonicalMessage } from '../../contract/messages/content.ts'
import type { Db } from '../../db/connect.ts'
import { findKnown } from '../../db/queries/catalogue/category.ts'
import { findStatic } from '../../db/queries/catalogue/group.ts'
import { findKnownScenarios, findScenarios } from '../../db/queries/scenario/scenario.ts'
import type { Violation } from '../../domain/audience/audience.ts'
import type { ActionReference } from '../../domain/content/actions.ts'
import { inactiveScenario, referencesIn, unknownTarget } from '../../domain/content/content-check.ts'
import { idOrNull } from '../../domain/lib/id.ts'

/** The violations of actions of a message that would do nothing. */
export function unknownReferences(
  db: Db,
  unitId: string,
  messages: readonly CanonicalMessage[],
): Promise<Violation[]> {
  return unknownTargets(db, unitId, referencesIn(messages))
}

/**
 * The violations of references that would do nothing: to a category that does not exist (a disabled one does), to a group
 * that is not a static group of the unit, or to what is no scenario of the unit, whatever its state. Reads only if there
 * are such references.
 */
export async function unknownTargets(
  db: Db,
  unitId: string,
  { categories, groups, scenarios }: ReturnType<typeof referencesIn>,
): Promise<Violation[]> {
  const ids = idsOf(groups)
  const jumps = idsOf(scenarios)
  const existing =
    categories.length === 0
      ? []
      : await findKnown(
          db,
          categories.map(({ id }) => id),
        )
  const joinable = ids.length === 0 ? [] : await findStatic(db, unitId, ids)
  const startable = jumps.length === 0 ? [] : await findKnownScenarios(db, unitId, jumps)
  return [
    ...categories
      .filter(({ id }) => !existing.includes(id))
      .map((reference) => unknownTarget(reference, 'category')),
    ...groups
      .filter(({ id }) => !joinable.includes(id.toLowerCase()))
      .map((reference) => unknownTarget(reference, 'group')),
    ...scenarios
      .filter(({ id }) => !startable.includes(id.toLowerCase()))
      .map((reference) => unknownTarget(reference, 'scenario')),
  ]
}

/** The warnings about buttons that begin a scenario of the unit which starts nothing now. */
export async function inactiveTargets(
  db: Db,
  unitId: string,
  messages: readonly CanonicalMessage[],
): Promise<Violation[]> {
  const { scenarios } = referencesIn(messages)
  const ids = idsOf(scenarios)
  const rows = ids.length === 0 ? [] : await findScenarios(db, ids, [unitId])
  const inactive = rows.flatMap(({ id, canStart }) => (canStart ? [] : [id]))
  return scenarios
    .filter(({ id }) => inactive.includes(id.toLowerCase()))
    .map(({ path }) => inactiveScenario(path))
}

function idsOf(references: ActionReference[]): string[] {
  return references.map(({ id }) => id).filter((id) => idOrNull(id) !== null)
}
