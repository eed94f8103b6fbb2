import type { Db } from '../../connect.ts'

/** The names of the people with these uids, by uid; null: theirs is not known. Uids of nobody are absent. */
export async function findNames(db: Db, uids: readonly string[]): Promise<Map<string, string | null>> {
  if (uids.length === 0) return new Map()
  const rows = await db
    .selectFrom('subject')
    .select(['uid', 'display_name as name'])
    .where('uid', 'in', uids)
    .execute()
  return new Map(rows.map(({ uid, name }) => [uid, name]))
}
