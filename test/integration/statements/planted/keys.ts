import { sql } from 'kysely'
import type { Db } from '../../../../src/db/connect.ts'
import type { People } from './people.ts'
import { type PlantedWave, plantWave } from './waves.ts'

/** What one key of each table has: a wave. */
export type PlantedKey = People & PlantedWave

/** Plants keys, each with its rows in every table. Foreign keys are not checked: that takes longer than writing rows. */
export async function plantKeys(db: Db, people: People, count: number): Promise<PlantedKey[]> {
  const keys: PlantedKey[] = []
  for (let n = 0; n < count; n += 1) {
    const key = await db.transaction().execute(async (trx) => {
      await sql`set local session_replication_role = replica`.execute(trx)
      return { ...people, ...(await plantWave(trx, people)) }
    })
    keys.push(key)
  }
  return keys
}
