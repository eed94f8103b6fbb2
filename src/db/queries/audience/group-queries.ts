import type { Audience, QueryAudience } from '../../../domain/audience.ts'
import { isId } from '../../../domain/id.ts'
import { anyOf } from '../../any-of.ts'
import type { Db, Trx } from '../../connect.ts'

/** What the dynamic groups stand for that an audience of this unit names, by id. Asks only where it names groups. */
export async function findGroupQueries(
  db: Db | Trx,
  unitId: string,
  audience: Audience,
): Promise<Map<string, QueryAudience>> {
  const ids = groupsIn(audience).filter(isId)
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('subject_group')
    .select(['id', 'query'])
    .where('unit_id', '=', unitId)
    .where('id', '=', anyOf(ids))
    .where('query', 'is not', null)
    .execute()
  return new Map(rows.map(({ id, query }) => [id, query!]))
}

function groupsIn(audience: Audience): string[] {
  if (audience.kind === 'individual') return []
  const own = audience.kind === 'query' ? (audience.groups ?? []) : []
  return [...own, ...(audience.exclude?.groups ?? [])]
}
