import { type Migration, Migrator } from 'kysely/migration'
import type { Db } from './connect.ts'
import * as foundation from './migrations/0001_foundation.ts'
import * as batchTries from './migrations/0002_batch_tries.ts'
import * as putOff from './migrations/0003_put_off.ts'

const migrations: Record<string, Migration> = {
  '0001_foundation': foundation,
  '0002_batch_tries': batchTries,
  '0003_put_off': putOff,
}

/**
 * Brings the schema up to date; safe to run in several processes at once (Kysely holds an advisory lock). Returns the
 * names of the migrations it ran.
 * @throws the first error; the migrations before it stay applied
 */
export async function migrateToLatest(db: Db): Promise<string[]> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
  const { error, results } = await migrator.migrateToLatest()
  if (error) throw error
  return (results ?? []).map((result) => result.migrationName)
}
