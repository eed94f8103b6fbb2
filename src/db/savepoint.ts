import { sql } from 'kysely'
import type { Trx } from './connect.ts'

/** Acts in a transaction, and undoes what that wrote if it comes to nothing (null): what was before stays. */
export async function withSavepoint<T>(trx: Trx, act: () => Promise<T | null>): Promise<T | null> {
  await sql`savepoint or_undo`.execute(trx)
  const result = await act()
  if (result === null) await sql`rollback to savepoint or_undo`.execute(trx)
  return result
}
