import type { QueryCreator } from 'kysely'
import type { Db, Trx } from '../connect.ts'
import type { Database } from '../tables.ts'

/** Everybody in this list may not approve the message. */
export async function insertAuthor(trx: Trx, messageId: string, actor: string): Promise<void> {
  await authorInto(trx, messageId, actor).execute()
}

/** The same, as a part of another statement. */
export function authorInto(query: QueryCreator<Database>, messageId: string, actor: string) {
  return query
    .insertInto('message_author')
    .values({ message_id: messageId, actor })
    .onConflict((conflict) => conflict.doNothing())
}

/** Whether this actor created, edited or submitted the message. */
export async function isAuthor(db: Db, messageId: string, actor: string): Promise<boolean> {
  const row = await db
    .selectFrom('message_author')
    .select('actor')
    .where('message_id', '=', messageId)
    .where('actor', '=', actor)
    .executeTakeFirst()
  return row !== undefined
}
