import type { Db, Trx } from '../../../src/db/connect.ts'

class Undo extends Error {}

/** Runs `work` in a transaction and rolls it back, so that the next run starts from the same state. */
export async function rollBack(db: Db, work: (trx: Trx) => Promise<void>): Promise<void> {
  const end = db.transaction().execute(async (trx) => {
    await work(trx)
    throw new Undo()
  })
  await end.catch((error) => {
    if (!(error instanceof Undo)) throw error
  })
}
