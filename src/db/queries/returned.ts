import { sql } from 'kysely'
import { anyOf } from '../any-of.ts'
import type { Db } from '../connect.ts'

/** Makes these messages' runs look again at once, where they are open; answers how many there are. Drafts have no run. */
export async function lookAgain(db: Db, messageIds: readonly string[]): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('message')
    .set({ next_look_at: sql<Date>`now() - interval '5 seconds'`, poked_at: null, poke_count: 0 })
    .where('id', '=', anyOf(messageIds))
    .where('closed_at', 'is', null)
    .where('state', '<>', 'draft')
    .executeTakeFirst()
  return Number(numUpdatedRows)
}
