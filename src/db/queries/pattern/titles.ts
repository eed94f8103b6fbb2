import type { LocalisedText } from '../../../contract/localised-text.ts'
import { anyOf } from '../../any-of.ts'
import type { Db } from '../../connect.ts'

/** The titles of these patterns of a unit, by id. */
export async function findPatternTitles(
  db: Db,
  unitId: string,
  ids: readonly string[],
): Promise<Map<string, LocalisedText>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('pattern')
    .select(['id', 'title'])
    .where('unit_id', '=', unitId)
    .where('id', '=', anyOf(ids))
    .execute()
  return new Map(rows.map(({ id, title }) => [id, title]))
}
