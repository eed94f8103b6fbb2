import { type RawBuilder, sql } from 'kysely'

/** What a callback hears in one order: of a message, a run or another object, the changes or something besides. */
type Sequence = {
  callbackId: RawBuilder<unknown>
  objectId: RawBuilder<unknown>
  /** As `callback_delivery.sequence` names it. */
  sequence?: RawBuilder<unknown>
}

/** When the last delivery of a sequence that waits is due; null: none waits. Reads the index of those that wait. */
export function lastWaiting({
  callbackId,
  objectId,
  sequence = sql.lit('changes'),
}: Sequence): RawBuilder<Date | null> {
  return sql`(select max(next_try_at) from callback_delivery as older
        where older.callback_id = ${callbackId} and coalesce(older.message_id, older.run_id, older.object_id) = ${objectId}
          and older.sequence = ${sequence} and older.outcome = 'pending')`
}

/** When a delivery of a sequence is due: at once, or together with an older one that waits, to keep their order. */
export function afterOlder(of: Sequence): RawBuilder<Date> {
  return sql`coalesce(${lastWaiting(of)}, clock_timestamp())`
}
