import type { Trx } from '../db/connect.ts'

/** Where something was written, which the transaction that makes it ends: pressed twice, it is made once. */
export type WrittenIn = {
  /**
   * Locks it. Returns everybody whose words stand in it.
   * @throws ServiceError
   */
  lock(trx: Trx): Promise<string[]>
  /** Ends it, as what has become `madeId`. */
  end(trx: Trx, madeId: string): Promise<void>
}

/** What a program sends, or what is changed in place, was written nowhere. */
export const nowhere: WrittenIn = { lock: async () => [], end: async () => {} }
