import { sql } from 'kysely'
import type { Db, Trx } from '../../connect.ts'

/** What a callback has sealed; `oldSecret` while it still signs. */
export type SealedCallback = { id: string; unitId: string; secret: Buffer; oldSecret: Buffer | null }

/** The callbacks of all units, oldest first. */
export async function listSealedCallbacks(db: Db): Promise<SealedCallback[]> {
  return selectSealed(db).orderBy('id').execute()
}

/** The same for one callback, locked; undefined if it was deleted. */
export async function lockSealedCallback(trx: Trx, id: string): Promise<SealedCallback | undefined> {
  return selectSealed(trx).where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
}

function selectSealed(db: Db) {
  return db
    .selectFrom('callback')
    .select(['id', 'unit_id as unitId', 'secret'])
    .select(
      sql<Buffer | null>`case when old_secret_until > clock_timestamp() then old_secret end`.as('oldSecret'),
    )
}

/** Replaces what a locked callback has sealed by the same, sealed again. An old secret that signs no more is dropped. */
export async function storeSealedCallback(
  trx: Trx,
  { id, secret, oldSecret }: Pick<SealedCallback, 'id' | 'secret' | 'oldSecret'>,
): Promise<void> {
  await trx.updateTable('callback').set({ secret, old_secret: oldSecret }).where('id', '=', id).execute()
}
