import type { Db, Trx } from '../../../src/db/connect.ts'

/** A wave of no message, for November 2026. */
export async function newWave(db: Db | Trx, id?: string): Promise<string> {
  const wave = await db
    .insertInto('wave')
    .values({ month: '2026-11-01', ...(id && { id }) })
    .returning('id')
    .executeTakeFirstOrThrow()
  return wave.id
}
