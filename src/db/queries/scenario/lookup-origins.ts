import { sql } from 'kysely'
import type { Db } from '../../connect.ts'

/** Which of these origins are registered for Lookups of this unit's scenarios, or of all. */
export async function findLookupOrigins(
  db: Db,
  unitId: string,
  origins: readonly string[],
): Promise<string[]> {
  const rows = await db
    .selectFrom('lookup_endpoint')
    .select('origin')
    .distinct()
    .where('origin', '=', sql<string>`any(${origins}::text[])`)
    .where((is) => is.or([is('unit_id', 'is', null), is('unit_id', '=', unitId)]))
    .execute()
  return rows.map(({ origin }) => origin)
}
