import type { Selectable } from 'kysely'
import type { Db } from '../connect.ts'
import type { CallbackDeliveryTable } from '../tables.ts'

export type CallbackDeliveryRow = Selectable<CallbackDeliveryTable>

/** What a callback was told and is to be told, newest first; `before`: older than this id. */
export async function listCallbackDeliveries(
  db: Db,
  { callbackId, before, limit }: { callbackId: string; before: string | null; limit: number },
): Promise<CallbackDeliveryRow[]> {
  return db
    .selectFrom('callback_delivery')
    .selectAll()
    .where('callback_id', '=', callbackId)
    .$if(before !== null, (query) => query.where('id', '<', before!))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}
