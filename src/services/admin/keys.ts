import type { KeyListQuery, ProducerKey } from '../../contract/admin/key.ts'
import type { Db } from '../../db/connect.ts'
import { type KeyListItem, listKeys as listRows } from '../../db/queries/identity/key.ts'
import { keyOf, type Page, pageOf } from '../page.ts'

/** Keys of a unit or of all, newest first; see src/services/credentials.ts for how one begins and ends. */
export async function listKeys(db: Db, query: KeyListQuery): Promise<Page<ProducerKey>> {
  const rows = await listRows(db, {
    unitId: query.unitId,
    before: keyOf(query.cursor),
    limit: query.limit + 1,
  })
  return pageOf(rows, query.limit, (row) => row.id, shown)
}

/** A key as it crosses the wire. */
export function shown({ createdAt, revokedAt, ...key }: KeyListItem): ProducerKey {
  return { ...key, createdAt: createdAt.toISOString(), revokedAt: revokedAt?.toISOString() ?? null }
}
