import type { Logger } from 'pino'
import type { Db, Trx } from '../db/connect.ts'

/** A queue of rows, each processed in one transaction with its effects. */
export type Queue<Item> = {
  /** Locks the next due row until the transaction ends; undefined if there is none. */
  take(trx: Trx): Promise<Item | undefined>
  /** Processes the row and ends it. */
  process(trx: Trx, item: Item): Promise<void>
  /**
   * After the row's transaction was rolled back: defers the row or ends it with a reason, so that it blocks nothing
   * behind it. Returns the fields for the log: ids and counts.
   */
  defer(db: Db, item: Item, error: unknown): Promise<object>
}

/**
 * Processes the next row of a queue. Its effects happen once, however often it is tried; a row that fails is deferred.
 * Returns false if no row is due.
 */
export async function processNext<Item>(
  { db, log }: { db: Db; log?: Logger | undefined },
  { take, process, defer }: Queue<Item>,
): Promise<boolean> {
  let item: Item | undefined
  try {
    return await db.transaction().execute(async (trx) => {
      item = await take(trx)
      if (item !== undefined) await process(trx, item)
      return item !== undefined
    })
  } catch (err) {
    if (item === undefined) throw err
    const about = await defer(db, item, err)
    log?.warn({ ...about, err }, 'A queue item failed and was deferred')
    return true
  }
}
