import type { CanonicalMessage } from '../../contract/messages/content.ts'
import type { Db } from '../../db/connect.ts'
import { findGroupNames } from '../../db/queries/catalogue/group.ts'
import { findScenarios } from '../../db/queries/scenario/scenario.ts'
import { joinedGroups, jumpedScenarios } from '../../domain/content/actions.ts'
import { isId } from '../../domain/lib/id.ts'

/** What content names by id: groups and scenarios of its unit. */
type NamedIds = { groups: string[]; scenarios: string[] }

/** The groups and scenarios that the buttons of messages name. */
export function namedByButtons(messages: readonly CanonicalMessage[]): NamedIds {
  return {
    groups: joinedGroups(messages).map(({ id }) => id),
    scenarios: jumpedScenarios(messages).map(({ id }) => id),
  }
}

/** The names of groups and scenarios of a unit, by id. Of two with the same name each has its id as well. */
export async function namesOf(
  db: Db,
  unitId: string,
  { groups, scenarios }: NamedIds,
): Promise<Map<string, string>> {
  const [groupIds, scenarioIds] = [groups.filter(isId), scenarios.filter(isId)]
  const scenarioNames = scenarioIds.length === 0 ? [] : await findScenarios(db, scenarioIds, [unitId])
  const named = [
    ...(groupIds.length === 0 ? [] : await findGroupNames(db, unitId, groupIds)),
    ...scenarioNames.map(({ id, name }) => [id, name] as const),
  ]
  const all = named.map(([, name]) => name)
  const isShared = (name: string) => all.indexOf(name) !== all.lastIndexOf(name)
  return new Map(named.map(([id, name]) => [id, isShared(name) ? `${name} (${id})` : name]))
}
