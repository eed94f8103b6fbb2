import { limits } from '../../contract/limits.ts'
import { insertAudit } from '../../db/queries/audit/audit.ts'
import { deleteMedia, takeUnnamed } from '../../db/queries/media/media.ts'
import type { Services } from '../context.ts'

/**
 * Deletes pictures that no content has named for a month, and what uploads that were broken off have left; a few at a time.
 * The files go first: a row without them is found again. Returns whether there may be more.
 */
export async function purgeNextMedia({ db, media }: Pick<Services, 'db' | 'media'>): Promise<boolean> {
  if (!media) return false
  return db.transaction().execute(async (trx) => {
    const unnamed = await takeUnnamed(trx, limits.mediaDays)
    for (const row of unnamed) await media.stores[row.store]?.remove(row)
    const gone = unnamed.filter(({ store }) => media.stores[store] !== undefined)
    if (gone.length === 0) return false
    await deleteMedia(
      trx,
      gone.map(({ id }) => id),
    )
    await insertAudit(trx, {
      unitId: null,
      actor: 'system:run',
      action: 'purge',
      objectKind: 'media',
      objectId: 'all',
      details: { pictures: gone.length },
    })
    return true
  })
}
