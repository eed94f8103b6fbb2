import { sql } from 'kysely'
import type { Db } from '../../../../src/db/connect.ts'
import { type PlantedPattern, plantPattern } from './patterns.ts'
import { type PlantedWave, plantWave } from './waves.ts'

/** What one key of each table has: a unit, in it a wave and a pattern. */
export type PlantedKey = { unitId: string } & PlantedWave & PlantedPattern

/** Plants keys, each with its rows in every table. Foreign keys are not checked: that takes longer than writing rows. */
export async function plantKeys(db: Db, count: number): Promise<PlantedKey[]> {
  const keys: PlantedKey[] = []
  for (let n = 0; n < count; n += 1) {
    const key = await db.transaction().execute(async (trx) => {
      await sql`set local session_replication_role = replica`.execute(trx)
      const unit = await sql<{
        id: string
      }>`insert into unit (name) values (uuidv7()::text) returning id`.execute(trx)
      const unitId = unit.rows[0]!.id
      return { unitId, ...(await plantWave(trx, unitId)), ...(await plantPattern(trx, unitId)) }
    })
    keys.push(key)
  }
  return keys
}
