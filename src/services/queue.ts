import type { Logger } from 'pino'
import type { Db, Trx } from '../db/connect.ts'

/** Rows that wait to be worked off, each in one transaction with its effects. */
export type Queue<Item> = {
  /** Locks the next row that is due until the transaction ends; undefined where there is none. */
  take(trx: Trx): Promise<Item | undefined>
  /** Does what the row asks for, and ends it. */
  work(trx: Trx, item: Item): Promise<void>
  /**
   * For a row whose transaction was undone: in another one, has it come again later or ends it with a reason, so that it
   * holds up nothing behind it. Answers what the log says of it: ids and counts.
   */
  putOff(db: Db, item: Item, error: unknown): Promise<object>
}

/**
 * Works off the next row of a queue: however often it is tried, it happens once, and one that always fails is put off.
 * False: there is none.
 */
export async function processNext<Item>(
  { db, log }: { db: Db; log?: Logger | undefined },
  { take, work, putOff }: Queue<Item>,
): Promise<boolean> {
  let taken: Item | undefined
  try {
    return await db.transaction().execute(async (trx) => {
      taken = await take(trx)
      if (taken !== undefined) await work(trx, taken)
      return taken !== undefined
    })
  } catch (err) {
    if (taken === undefined) throw err
    const about = await putOff(db, taken, err)
    log?.warn({ ...about, err }, 'Something that waited could not be worked off, and was put off')
    return true
  }
}
