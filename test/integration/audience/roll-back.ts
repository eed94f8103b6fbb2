import type { Db, Trx } from '../../../src/db/connect.ts'

class Undo extends Error {}

/** Does `work` in a transaction and takes it back, so that the next run begins where this one did. */
export async function rollBack(db: Db, work: (trx: Trx) => Promise<void>): Promise<void> {
  const end = db.transaction().execute(async (trx) => {
    await work(trx)
    throw new Undo()
  })
  await end.catch((error) => {
    if (!(error instanceof Undo)) throw error
  })
}
