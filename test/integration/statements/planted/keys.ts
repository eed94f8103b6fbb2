import { sql } from 'kysely'
import type { Db } from '../../../../src/db/connect.ts'
import { type PlantedPattern, plantPattern } from './patterns.ts'
import { type PlantedUnit, plantUnit } from './units.ts'
import { type PlantedWave, plantWave } from './waves.ts'

/** What one key of each table has: a unit, with a wave, a pattern, and much of all else. */
export type PlantedKey = { unitId: string } & PlantedWave & PlantedPattern & PlantedUnit

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
      const [wave, pattern] = [await plantWave(trx, unitId), await plantPattern(trx, unitId)]
      return { unitId, ...wave, ...pattern, ...(await plantUnit(trx, unitId)) }
    })
    keys.push(key)
  }
  return keys
}
