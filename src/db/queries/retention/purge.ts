import type { Db } from '../../connect.ts'

/** One kind of rows that are kept for some time only. */
export type Purge = {
  /** How many are older than `before`. */
  count(db: Db, before: Date): Promise<number>
  /** Does away with up to `limit` of them in one short transaction; answers how many. 0: there are none. */
  slice(db: Db, before: Date, limit: number): Promise<number>
}
