import { type Insertable, sql } from 'kysely'
import type { CallbackType } from '../../contract/callback.ts'
import type { MessageState } from '../../domain/message-state.ts'
import type { Trx } from '../connect.ts'
import type { AuditTable } from '../tables.ts'

/** A change that callbacks of the message's unit are told of. */
export type News = {
  types: readonly CallbackType[]
  unitId: string
  messageId: string
  state: MessageState
  from: MessageState | null
  version: number
}

/**
 * Writes the audit row of a move and, in the same round trip, a row for each callback of the unit that wants to hear of
 * it. Most units have none: this is one look into an index then.
 */
export async function insertMoved(trx: Trx, audit: Insertable<AuditTable>, news: News): Promise<void> {
  await trx
    .with('audited', (query) => query.insertInto('audit').values(audit))
    .insertInto('callback_delivery')
    .columns(columns)
    .expression(rowsOf(news))
    .execute()
}

/** Has the callbacks told what is not a move of its own: that a message was closed. */
export async function insertNews(trx: Trx, news: News): Promise<void> {
  await trx.insertInto('callback_delivery').columns(columns).expression(rowsOf(news)).execute()
}

const columns = [
  'callback_id',
  'message_id',
  'type',
  'state',
  'from_state',
  'version',
  'next_try_at',
] as const

/** Due at once; or where an older one of the same message waits, with it, for they are told in order. */
function rowsOf({ types, unitId, messageId, state, from, version }: News) {
  return sql<never>`
    select callback.id, ${messageId}::uuid, news.type, ${state}, ${from}, ${version}::integer,
      coalesce((select max(next_try_at) from callback_delivery as older
        where older.callback_id = callback.id and older.message_id = ${messageId}::uuid
          and older.outcome = 'waiting'), clock_timestamp())
    from callback, unnest(${types}::text[]) with ordinality as news (type, place)
    where callback.unit_id = ${unitId}::uuid and callback.enabled and news.type = any(callback.types)
    order by news.place
  `
}
